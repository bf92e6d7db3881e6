"""OPML 1.0 and 2.0: the lists of feeds that readers exchange, read leniently, written strictly.

Outlines may be nested to any depth; one with an `xmlUrl` is a feed, one without it a category.
What stands in the file is all that is read: nothing is included or expanded.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from indexer.feeds.feed import Feed
from indexer.feeds.registry.feed_spec import NAME_LENGTH, FeedProblem, FeedSpec
from indexer.news.syndication.markup import Token, TokenKind, attributes, tokens
from indexer.text.cleaning import clean, one_line

MAX_DEPTH = 100
"""Of categories in categories only so many are remembered: they may not have been closed."""

INCLUSIONS = ("include", "link")


def read_opml(pieces: Iterable[str]) -> Iterator[FeedSpec | FeedProblem]:
    """The feeds of an OPML file, a text in pieces, one after the other.

    Their names are their titles; of those without any, the categories that they are in.
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
            # What has no title is often called by its URL.
            name = title if title != one_line(url, NAME_LENGTH) else ""
            yield FeedSpec(url, name or _path(categories), active=_is_active(outline))
        elif outline.get("type", "").lower() in INCLUSIONS and outline.get("url"):
            yield FeedProblem(_shown(outline["url"]), "another list: it is not read by itself")
        else:
            # Whether it is a category shows when something follows in it.
            unused = _title(outline) or _shown(outline.get("htmlurl", "")) or "outline"
        if len(categories) < MAX_DEPTH:
            categories.append(None if url else _title(outline) or None)


def write_opml(feeds: Iterable[Feed], file: TextIO, now: datetime) -> int:
    """Write feeds as OPML 2.0, one after the other; how many."""
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
    # Of OPML 1.0: not every reader knows it.
    if not feed.active:
        values["isComment"] = "true"
    pairs = " ".join(f"{key}={quoteattr(value)}" for key, value in values.items())
    return f"    <outline {pairs}/>\n"


def is_opml(text: str) -> bool:
    """Whether the beginning of a text is that of OPML."""
    return any(_begins(token) for token in tokens([text]))


def _begins(token: Token) -> bool:
    return token.kind is TokenKind.START and token.value in ("opml", "outline")


def _title(outline: dict[str, str]) -> str:
    found = (outline.get("title", ""), outline.get("text", ""))
    return next((name for each in found if (name := one_line(each, NAME_LENGTH))), "")


def _path(categories: Iterable[str | None]) -> str:
    return one_line(" / ".join(name for name in categories if name), NAME_LENGTH)


def _is_active(outline: dict[str, str]) -> bool:
    return outline.get("iscomment", "").lower() != "true"


def _shown(text: str) -> str:
    return one_line(text, 200)
