"""Readers of feeds and sitemaps: RSS, Atom, sitemaps and JSON Feed, as items with common fields.

text → tags (markup) → items and their direct children (feed_markup, open_item)
     → common fields (announced)
JSON Feed → common fields (json_feed)
other formats → feedparser in a process (second_reader, feedparser_items) → common fields
"""
