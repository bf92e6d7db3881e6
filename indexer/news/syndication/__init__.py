"""Readers of feeds and sitemaps: RSS, Atom, sitemaps and JSON Feed, as items with common fields.

text → tags (markup) → items and their elements (feed_markup) → common fields (announced)
JSON Feed → common fields (json_feed)
"""
