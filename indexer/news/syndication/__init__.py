"""Feeds and sitemaps of any kind, as the items that they announce: shared by all who read them.

text → tags (markup) → items and their fields (feed_markup) → what an item says (announced)
JSON Feed: json_feed
"""
