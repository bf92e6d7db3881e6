"""From the bytes of a document to its items, and which of them may become stories.

    bytes → unpacking → text → format → entries → acceptance → items

Nothing here does I/O or knows what the database holds.
"""
