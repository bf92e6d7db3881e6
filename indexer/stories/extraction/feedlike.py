"""Recognises a feed or sitemap by its first tag (stories.md 7.1).

This must be cheap: such documents have kept extractors busy for an hour.
"""

import re

DOCTYPE_WITHIN = 128
"""The number of first characters that are searched for a doctype."""

_DOCTYPE = re.compile(r"<!doctype\s+(?!rss|feed|rdf)", re.IGNORECASE)
_TAG = re.compile(r"<([a-z][^\s/>]*)", re.IGNORECASE)
_FEEDS = ("rss", "feed", "rdf", "channel", "urlset", "sitemapindex")
# In this order: a comment begins like a declaration, but may contain ">".
_SKIPPED = (("<!--", "-->"), ("<?", ">"), ("<!", ">"))


def is_feed(text: str) -> bool:
    """Whether the first tag is that of a feed or sitemap, and no doctype declares a page."""
    if _DOCTYPE.search(text, 0, DOCTYPE_WITHIN):
        return False
    # The end only: a namespace prefix may come first, as in `rdf:RDF`.
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
    """The end of the comment, instruction or declaration at `start`; else the next character."""
    for opening, closing in _SKIPPED:
        if text.startswith(opening, start):
            end = text.find(closing, start + len(opening))
            return len(text) if end < 0 else end
    return start + 1
