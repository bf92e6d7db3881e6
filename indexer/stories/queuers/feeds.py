"""Reads the entries of feeds and sitemaps of any format.

    bytes → kind of input → text → tags → items → RSSEntry | Skipped | Sitemap

RSS 0.9 to 2.0 (also the daily files of the rss-fetcher), RDF, Atom, JSON Feed, sitemaps with or
without news, and indexes of sitemaps. A bad item is skipped.
"""

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

import structlog

from indexer.errors import InputError
from indexer.messages.worker import Skipped
from indexer.news.syndication import json_feed, markup
from indexer.news.syndication.announced import absolute, announced
from indexer.news.syndication.feed_markup import SITEMAP_INDEX, MarkupFeed, MarkupItem
from indexer.stories.queuers.feed_entries import FeedOrigin
from indexer.stories.queuers.input_kinds import InputKind, kind_of
from indexer.stories.story import RSSEntry
from indexer.text.dates import parse_date
from indexer.text.decoding.texts import head_text, text_pieces
from indexer.text.unpacking import head_of

log = structlog.get_logger()

FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json")
"""The types in a page's links to its feeds (RSS and Atom autodiscovery, JSON Feed 1.1)."""

MAX_NAMED = 10


class Sitemap(NamedTuple):
    """A sitemap, or another index, listed in an index of sitemaps."""

    url: str


Found = RSSEntry | Skipped | Sitemap


def read_feed(name: str, file: BinaryIO) -> Iterator[Found]:
    """The items of a feed, in its order and in constant memory.

    `name` is the path or URL of the file; a URL is the base of relative links. Raises InputError
    if the file is not a feed; the error for a page names the feeds that the page links to.
    """
    head = head_of(file)
    kind = kind_of(name, head)
    if kind not in (InputKind.FEED, InputKind.SITEMAP, InputKind.EMPTY):
        raise InputError(f"{name}: {_instead(kind, name, head)}")
    is_json = head_text(head).lstrip().startswith("{")
    empty = True
    for each in (_json if is_json else _markup)(name, head, file):
        empty = False
        yield each
    if empty:
        log.warning("an empty feed", input=name)


def _json(name: str, head: bytes, file: BinaryIO) -> Iterator[Found]:
    data = head + file.read(json_feed.MAX_BYTES)
    if len(data) > json_feed.MAX_BYTES:
        raise InputError(f"{name}: a JSON Feed of more than {json_feed.MAX_BYTES} bytes")
    origin = FeedOrigin(name, _web(name))
    return (origin.entry(item) for item in json_feed.announced(name, data))


def _markup(name: str, head: bytes, file: BinaryIO) -> Iterator[Found]:
    feed = MarkupFeed()
    origin: FeedOrigin | None = None
    for item in feed.items(text_pieces(head, file)):
        if feed.format is SITEMAP_INDEX:
            yield Sitemap(absolute(_web(name), item.text("loc")))
        elif feed.format is not None:
            # The parser has read the head of the feed only when it returns the first item.
            origin = origin or _origin(name, feed.head)
            yield origin.entry(announced(feed.format, item))


def _origin(name: str, head: MarkupItem) -> FeedOrigin:
    """The origin of the items, from the head of the feed."""
    root = next(head.attributes("root"), {})
    base = absolute(_web(name) or head.text("link"), root.get("xml:base", ""))
    made = parse_date(head.text("lastbuilddate"))
    return FeedOrigin(name, base, made.date().isoformat() if made else None)


def _web(name: str) -> str:
    """The name if it is a URL of the web; else blank."""
    return name if name.startswith(("http://", "https://")) else ""


def _instead(kind: InputKind, name: str, head: bytes) -> str:
    """The error message for a file that is not a feed."""
    if kind is not InputKind.PAGE:
        return f"not a feed, but {_OTHERS[kind]}"
    feeds = ", ".join(_linked(name, head))
    return "an HTML page, not a feed" + (f"; it links to the feeds {feeds}" if feeds else "")


_OTHERS = {
    InputKind.CSV: "a CSV file: the csv-queuer reads it",
    InputKind.URLS: "a list of URLs: the csv-queuer reads it",
    InputKind.WARC: "a WARC file",
    InputKind.UNKNOWN: "a file of an unknown format",
}


def _linked(name: str, head: bytes) -> list[str]:
    """The URLs of the feeds that a page links to."""
    links = (
        markup.attributes(token)
        for token in markup.tokens([head_text(head)])
        if token.kind is markup.TokenKind.START and token.value == "link"
    )
    return [
        absolute(_web(name), link.get("href", ""))
        for link in links
        if link.get("rel", "").lower() == "alternate" and link.get("type", "").lower() in FEED_TYPES
    ][:MAX_NAMED]
