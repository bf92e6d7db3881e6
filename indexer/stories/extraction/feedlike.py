"""Telling a feed or sitemap from a page by its first tag (stories.md 7.1).

Cheap on purpose: such documents have kept extractors busy for an hour.
"""

import re

DOCTYPE_WITHIN = 128
"""Characters in which a page has its doctype."""

_DOCTYPE = re.compile(r"<!doctype\s+(?!rss|feed|rdf)", re.IGNORECASE)
_TAG = re.compile(r"<([a-z][^\s/>]*)", re.IGNORECASE)
_FEEDS = ("rss", "feed", "rdf", "channel", "urlset", "sitemapindex")
_SKIPPED = (("<!--", "-->"), ("<?", ">"), ("<!", ">"))


def is_feed(text: str) -> bool:
    """Whether the first tag is that of a feed or sitemap, and no doctype says it is a page."""
    if _DOCTYPE.search(text, 0, DOCTYPE_WITHIN):
        return False
    return _first_tag(text).lower().endswith(_FEEDS)


def _first_tag(text: str) -> str:
    """The name of the first element, with its prefix; "" if there is none."""
    start = text.find("<")
    while start >= 0:
        if match := _TAG.match(text, start):
            return match[1]
        start = text.find("<", _after(text, start))
    return ""


def _after(text: str, start: int) -> int:
    """Where a comment, instruction or declaration ends; else the next character."""
    for opening, closing in _SKIPPED:
        if text.startswith(opening, start):
            end = text.find(closing, start + len(opening))
            return len(text) if end < 0 else end
    return start + 1
