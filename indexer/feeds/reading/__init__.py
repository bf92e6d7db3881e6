"""Reads a document: from its bytes to its entries, and to the items that may become stories.

    bytes → unpacking → text → format → entries → acceptance → items

Nothing here does I/O or uses the database; only feedparser, which reads documents that our reader
can't, has a process of its own.
"""
