"""OPML 1.0 and 2.0, lists of feeds that feed readers exchange: read leniently, written strictly.

Broken XML is read all the same, tag by tag; the lines of tags that can't be read are reported, as
feeds may be lost there. Outlines may be nested to any depth; one with an `xmlUrl` is a feed, one
without it a category. Included lists are not fetched, and entities are not expanded.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from indexer.feeds.feed import Feed
from indexer.feeds.registry.feed_spec import NAME_LENGTH, FeedProblem, FeedSpec, shown
from indexer.feeds.registry.opml_damages import Damages
from indexer.news.syndication.markup import TokenKind, attributes_in, parts, tokens
from indexer.text.cleaning import clean, one_line

MAX_DEPTH = 100
"""Nested categories whose names are kept: in a damaged file none may ever be closed."""

INCLUSIONS = ("include", "link")


def read_opml(pieces: Iterable[str]) -> Iterator[FeedSpec | FeedProblem]:
    """Yield the feeds of an OPML file, given as pieces of text, and its damages with their lines.

    A feed's name is its title or, if it has none, the path of its categories.
    """
    outlines, damages = _Outlines(), Damages()
    for part in parts(pieces):
        yield from damages.of(part)
        _, slash, name, raw, _ = part
        if name.lower() != "outline":
            continue
        if not slash:
            yield from outlines.begin(attributes_in(raw))
        if slash or raw.endswith("/"):
            yield from outlines.end()
    yield from damages.at_the_end()


class _Outlines:
    """The open outlines: feeds and categories."""

    def __init__(self) -> None:
        self._categories: list[str | None] = []
        self._unused = ""

    def begin(self, outline: dict[str, str]) -> Iterator[FeedSpec | FeedProblem]:
        """The feed of an outline, or the reason why it is neither a feed nor a category."""
        self._unused = ""
        kind = outline.get("type", "").lower()
        url = outline.get("xmlurl", "").strip()
        # Some programs, Juice among them, have written `url`; that of a link is another list.
        if not url and kind not in INCLUSIONS and outline.get("url"):
            url = outline["url"].strip()
        title = _title(outline)
        if url:
            # Programs often write the URL as the title of a feed that has none.
            name = title if title != one_line(url, NAME_LENGTH) else ""
            yield FeedSpec(url, name or _path(self._categories), active=_is_active(outline))
        elif kind in INCLUSIONS and outline.get("url"):
            yield FeedProblem(shown(outline["url"]), "a link to another list: not followed")
        else:
            # It is a category if another outline follows before it ends.
            self._unused = title or shown(outline.get("htmlurl", "")) or "outline"
        # Feeds are on the stack, too: their end tags must not close a category.
        if len(self._categories) < MAX_DEPTH:
            self._categories.append(None if url else title or None)

    def end(self) -> Iterator[FeedProblem]:
        """Close the last outline."""
        if self._unused:
            yield FeedProblem(self._unused, "neither a feed nor a category: no xmlUrl")
        self._unused = ""
        if self._categories:
            self._categories.pop()


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


def is_opml(text: str, *, named: bool = False) -> bool:
    """Whether a text begins as OPML does, or is a broken file that is `named` so."""
    names = [token.value for token in tokens([text]) if token.kind is TokenKind.START]
    return any(name in ("opml", "outline") for name in names) or (named and not names)


def _title(outline: dict[str, str]) -> str:
    found = (outline.get("title", ""), outline.get("text", ""))
    return next((name for each in found if (name := one_line(each, NAME_LENGTH))), "")


def _path(categories: Iterable[str | None]) -> str:
    return one_line(" / ".join(name for name in categories if name), NAME_LENGTH)


def _is_active(outline: dict[str, str]) -> bool:
    return outline.get("iscomment", "").lower() != "true"
