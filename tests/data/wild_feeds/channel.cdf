<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE Channel SYSTEM "http://www.w3c.org/Channel.dtd">
<CHANNEL HREF="https://cdf.example/" BASE="https://cdf.example/news/" LASTMOD="1998-11-05">
  <TITLE>Channel</TITLE>
  <LOGO HREF="logo.gif" STYLE="IMAGE"/>
  <SCHEDULE><INTERVALTIME DAY="1"/></SCHEDULE>
  <ITEM HREF="1.html" LASTMOD="2024-05-01T10:00:00Z"><TITLE>First story</TITLE><ABSTRACT>a</ABSTRACT></ITEM>
  <ITEM LASTMOD="2024-05-02T10:00:00Z"><A HREF="https://cdf.example/news/2.html"/><TITLE>Second story</TITLE></ITEM>
</CHANNEL>
