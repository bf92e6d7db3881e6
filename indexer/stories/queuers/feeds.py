"""Reads the entries of feeds and sitemaps of any format.

    bytes → kind of input → text → tags → items → RSSEntry | Skipped | Named
                                        └ no item with a link: feedparser, in a sandbox

RSS 0.9 to 2.0 (also the daily files of the rss-fetcher), RDF, Atom, JSON Feed, sitemaps with or
without news, and indexes of sitemaps; feedparser reads others, such as CDF. A bad item is skipped.
"""

import email.utils
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from indexer.errors import InputError, SandboxError
from indexer.inputs.queuers import Named
from indexer.messages.worker import Skipped
from indexer.news.syndication import json_feed, markup
from indexer.news.syndication.announced import Announced, absolute, announced, web
from indexer.news.syndication.feed_markup import RSS, SITEMAP_INDEX, MarkupFeed, MarkupItem
from indexer.news.syndication.markup import unescape
from indexer.news.syndication.second_reader import KeptText, SecondReader
from indexer.stories.queuers.input_kinds import InputKind, kind_of
from indexer.stories.story import RSSEntry
from indexer.system.loggers import get_logger
from indexer.text.cleaning import clean, one_line
from indexer.text.dates import parse_date, read_date
from indexer.text.decoding.texts import head_text, text_pieces
from indexer.text.unpacking import head_of

log = get_logger()

FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json")
"""The types in a page's links to its feeds (RSS and Atom autodiscovery, JSON Feed 1.1)."""

MAX_NAMED = 10

BAD = "bad"
"""The status of an item that has no link (stories.md 2.5)."""

TITLE_LENGTH = 1000
DATE_LENGTH = 100

_TAG = re.compile(r"</?[a-zA-Z][^<>]*+>")
_ID = re.compile(r"[0-9]{1,18}")

Found = RSSEntry | Skipped | Named


@dataclass(frozen=True, slots=True)
class FeedOrigin:
    """The origin of items: the name of the input, the base URL of links, the date of the feed."""

    name: str
    base: str = ""
    fetch_date: str | None = None

    def entry(self, item: Announced) -> RSSEntry | Skipped:
        """The entry of an item; Skipped if it has no link."""
        # A blank link means no link, although as a relative URL it would be that of the feed.
        link = absolute(absolute(self.base, item.base), item.link) if item.link.strip() else ""
        title = plain(item.title)
        if not link:
            return Skipped(BAD, title or self.name, "an item without a link")
        return RSSEntry(
            link=link,
            title=title or None,
            domain=one_line(item.domain) or None,
            pub_date=rfc_2822(item.date),
            fetch_date=self.fetch_date,
            source_url=clean(item.source_url) or web(self.name) or None,
            source_feed_id=as_number(item.feed_id),
            source_source_id=as_number(item.source_id),
            via=clean(self.name),
        )


def plain(title: str) -> str:
    """A title without markup, on one line."""
    # Unescaped twice: many feeds escape a title that has entities of HTML in it.
    return one_line(unescape(_TAG.sub("", unescape(title))), TITLE_LENGTH)


def rfc_2822(text: str) -> str | None:
    """A date in the format of `pub_date` (seed); other text on one line, or None if it is blank.

    A date in a zone that is not known stays as it is written: readers know its day only.
    """
    found = read_date(text)
    if found and found.zone_known:
        return email.utils.format_datetime(found.at)
    return one_line(text, DATE_LENGTH) or None


def as_number(value: object) -> int | None:
    """A number from 0 on, also from a text; None for more digits than 64 bits always hold."""
    text = as_text(value).strip()
    return int(text) if _ID.fullmatch(text) else None


def as_text(value: object) -> str:
    """A text or a number as text; "" for any other value."""
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def read_feed(name: str, file: BinaryIO) -> Iterator[Found]:
    """The items of a feed, in its order and in constant memory.

    Up to MAX_CHARACTERS of `second_reader` are kept until an item has a link.
    `name` is the path or URL of the file; a URL is the base of relative links. Raises InputError
    if the file is not a feed; the error for a page names the feeds that the page links to.
    """
    head = head_of(file)
    kind = kind_of(name, head)
    is_markup = head_text(head).lstrip().startswith("<")
    if kind is InputKind.UNKNOWN and is_markup and (found := _other(name, head, file)):
        yield from found
        return
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
    origin = FeedOrigin(name, web(name))
    return (origin.entry(item) for item in json_feed.announced(name, data))


def _markup(name: str, head: bytes, file: BinaryIO) -> Iterator[Found]:
    text = KeptText(text_pieces(head, file))
    without_link: list[Skipped] = []
    for found in _items(name, text):
        if text.is_kept and isinstance(found, Skipped):
            without_link.append(found)
            continue
        text.forget()
        yield from without_link
        without_link.clear()
        yield found
    yield from _by_feedparser(name, text) or without_link


def _items(name: str, pieces: Iterable[str]) -> Iterator[Found]:
    feed = MarkupFeed()
    origin: FeedOrigin | None = None
    for item in feed.items(pieces):
        if feed.format is SITEMAP_INDEX:
            yield Named(absolute(web(name), item.text("loc")))
        elif feed.format is not None:
            # The parser has read the head of the feed only when it returns the first item.
            origin = origin or _origin(name, feed.head)
            yield origin.entry(announced(feed.format, item))


def _other(name: str, head: bytes, file: BinaryIO) -> list[RSSEntry | Skipped]:
    """The items of a file in a format that our reader does not know."""
    return _by_feedparser(name, KeptText(text_pieces(head, file)))


def _by_feedparser(name: str, text: KeptText) -> list[RSSEntry | Skipped]:
    """The items that feedparser finds in a kept text, if one of them has a link."""
    if not (whole := text.whole()):
        return []
    try:
        with SecondReader() as second:
            reading = second.read(whole)
    except (SandboxError, OSError) as error:
        log.warning("feedparser gives no answer", input=name, why=str(error))
        return []
    origin = _origin(name, reading.head)
    found = [origin.entry(announced(RSS, item)) for item in reading.items]
    if not any(isinstance(each, RSSEntry) for each in found):
        return []
    log.info("read by feedparser: our reader finds no item with a link", input=name)
    return found


def _origin(name: str, head: MarkupItem) -> FeedOrigin:
    """The origin of the items, from the head of the feed."""
    root = next(head.attributes("root"), {})
    base = absolute(web(name) or head.text("link"), root.get("xml:base", ""))
    made = parse_date(head.text("lastbuilddate"))
    return FeedOrigin(name, base, made.date().isoformat() if made else None)


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
    InputKind.OPML: "a list of feeds (OPML): story-indexer follow polls them",
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
        absolute(web(name), link.get("href", ""))
        for link in links
        if link.get("rel", "").lower() == "alternate" and link.get("type", "").lower() in FEED_TYPES
    ][:MAX_NAMED]
