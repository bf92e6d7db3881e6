"""OPML 1.0 and 2.0, lists of feeds that feed readers exchange: read leniently, written strictly.

Outlines may be nested to any depth; one with an `xmlUrl` is a feed, one without it a category.
Included lists are not fetched, and entities are not expanded.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from indexer.feeds.feed import Feed
from indexer.feeds.registry.feed_spec import NAME_LENGTH, FeedProblem, FeedSpec
from indexer.news.syndication.markup import TokenKind, attributes, tokens
from indexer.text.cleaning import clean, one_line

MAX_DEPTH = 100
"""Nested categories whose names are kept: in a damaged file none may ever be closed."""

INCLUSIONS = ("include", "link")


def read_opml(pieces: Iterable[str]) -> Iterator[FeedSpec | FeedProblem]:
    """Yield the feeds of an OPML file, given as pieces of text.

    A feed's name is its title or, if it has none, the path of its categories.
    """
    categories: list[str | None] = []
    unused = ""
    for token in tokens(pieces):
        if token.value != "outline" or token.kind not in (TokenKind.START, TokenKind.END):
            continue
        if token.kind is TokenKind.END:
            if unused:
                yield FeedProblem(unused, "neither a feed nor a category: no xmlUrl")
            unused = ""
            if categories:
                categories.pop()
            continue
        outline = attributes(token)
        unused = ""
        if url := outline.get("xmlurl", "").strip():
            title = _title(outline)
            # Programs often write the URL as the title of a feed that has none.
            name = title if title != one_line(url, NAME_LENGTH) else ""
            yield FeedSpec(url, name or _path(categories), active=_is_active(outline))
        elif outline.get("type", "").lower() in INCLUSIONS and outline.get("url"):
            yield FeedProblem(_shown(outline["url"]), "a link to another list: not followed")
        else:
            # It is a category if another outline follows before it ends.
            unused = _title(outline) or _shown(outline.get("htmlurl", "")) or "outline"
        # Feeds are on the stack, too: their end tags must not close a category.
        if len(categories) < MAX_DEPTH:
            categories.append(None if url else _title(outline) or None)


def write_opml(feeds: Iterable[Feed], file: TextIO, now: datetime) -> int:
    """Write feeds as OPML 2.0. Returns the number of feeds."""
    number = 0
    file.write(_HEAD.format(date=escape(format_datetime(now.replace(tzinfo=UTC)))))
    for feed in feeds:
        file.write(_outline(feed))
        number += 1
    file.write("  </body>\n</opml>\n")
    return number


_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head>
    <title>Feeds</title>
    <dateCreated>{date}</dateCreated>
  </head>
  <body>
"""


def _outline(feed: Feed) -> str:
    name = one_line(feed.name or feed.rss_title or feed.url or "", NAME_LENGTH)
    values = {"type": "rss", "text": name, "title": name, "xmlUrl": clean(feed.url or "")}
    # OPML's attribute for an inactive outline; readers that don't know it show the feed.
    if not feed.active:
        values["isComment"] = "true"
    pairs = " ".join(f"{key}={quoteattr(value)}" for key, value in values.items())
    return f"    <outline {pairs}/>\n"


def is_opml(text: str) -> bool:
    """Whether a text begins as OPML does."""
    names = (token.value for token in tokens([text]) if token.kind is TokenKind.START)
    return any(name in ("opml", "outline") for name in names)


def _title(outline: dict[str, str]) -> str:
    found = (outline.get("title", ""), outline.get("text", ""))
    return next((name for each in found if (name := one_line(each, NAME_LENGTH))), "")


def _path(categories: Iterable[str | None]) -> str:
    return one_line(" / ".join(name for name in categories if name), NAME_LENGTH)


def _is_active(outline: dict[str, str]) -> bool:
    return outline.get("iscomment", "").lower() != "true"


def _shown(text: str) -> str:
    return one_line(text, 200)
