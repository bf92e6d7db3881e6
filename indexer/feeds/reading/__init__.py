"""Reads a document: from its bytes to its entries, and to the items that may become stories.

    bytes → unpacking → text → format → entries → acceptance → items

Nothing here does I/O or uses the database.
"""
