"""The feeds that are polled: added, found on pages, changed, listed, and synchronised.

Feeds come from lists, OPML, pages and a directory's API. Nothing here polls them.
"""
