"""The feeds that are polled: adds, finds, changes, lists and synchronises them.

Feeds come from lists, OPML, web pages and a directory's API. Nothing here polls a feed.
"""
