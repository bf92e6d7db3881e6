"""Feeds and sitemaps, of any kind, as the stories that they announce.

    bytes → what is it? → text → tags → items → RSSEntry | Skipped | Sitemap

RSS 0.9 to 2.0 (the whole-day files of the rss-fetcher too), RDF, Atom, JSON Feed, sitemaps with
news or without, and indexes of sitemaps. A bad item costs itself.
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
from indexer.stories.queuers.recognise import InputKind, kind_of
from indexer.stories.story import RSSEntry
from indexer.text.dates import parse_date
from indexer.text.decoding.texts import head_text, text_pieces
from indexer.text.unpacking import head_of

log = structlog.get_logger()

FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json")
"""What a page calls the feeds that it names (RSS and Atom autodiscovery, JSON Feed 1.1)."""

MAX_NAMED = 10


class Sitemap(NamedTuple):
    """A sitemap, or another index, that an index of sitemaps names."""

    url: str


Found = RSSEntry | Skipped | Sitemap


def read_feed(name: str, file: BinaryIO) -> Iterator[Found]:
    """What a feed announces, in its order and in constant memory.

    `name` is where it is from: if that is a URL, links may be relative to it. Raises InputError
    if it is no feed; for a page the error names the feeds that the page does.
    """
    head = head_of(file)
    kind = kind_of(name, head)
    if kind not in (InputKind.FEED, InputKind.SITEMAP, InputKind.EMPTY):
        raise InputError(f"{name}: {_instead(kind, name, head)}")
    found: Iterator[Found] = iter(())
    if kind is not InputKind.EMPTY:
        is_json = head_text(head).lstrip().startswith("{")
        found = (_json if is_json else _markup)(name, head, file)
    any_found = False
    for each in found:
        any_found = True
        yield each
    if not any_found:
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
            origin = origin or _origin(name, feed.head)
            yield origin.entry(announced(feed.format, item))


def _origin(name: str, head: MarkupItem) -> FeedOrigin:
    """What the head of a feed says of its items."""
    root = next(head.attributes("root"), {})
    base = absolute(_web(name) or head.text("link"), root.get("xml:base", ""))
    made = parse_date(head.text("lastbuilddate"))
    return FeedOrigin(name, base, made.date().isoformat() if made else None)


def _web(name: str) -> str:
    """The name, if it is the URL of a page."""
    return name if name.startswith(("http://", "https://")) else ""


def _instead(kind: InputKind, name: str, head: bytes) -> str:
    """What the file is instead of a feed."""
    if kind is not InputKind.PAGE:
        return f"not a feed, but {_OTHERS[kind]}"
    feeds = ", ".join(_named(name, head))
    return "an HTML page, not a feed" + (f"; it names these: {feeds}" if feeds else "")


_OTHERS = {
    InputKind.CSV: "a CSV file: the csv-queuer reads it",
    InputKind.URLS: "a list of URLs: the csv-queuer reads it",
    InputKind.WARC: "a WARC file",
    InputKind.UNKNOWN: "something unknown",
}


def _named(name: str, head: bytes) -> list[str]:
    """The URLs of the feeds that a page names."""
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
