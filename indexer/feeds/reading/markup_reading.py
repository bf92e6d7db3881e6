"""Reads feeds and sitemaps in XML, well-formed or not.

The interval that a feed publishes (feeds.md 5.6) is recorded: the room `polling` decides how often
the feed is polled. `skipHours` and `skipDays` are not read: hardly any feed has them, and most of
those come from a template.
"""

import math
from datetime import datetime

from indexer.errors import BadFeed
from indexer.feeds.reading.document_kinds import check_items, check_root, format_name
from indexer.feeds.reading.entry import (
    CUT,
    MAX_ENTRIES,
    TOO_MANY,
    DocumentReading,
    FeedEntry,
    one_title,
    published,
    stored,
)
from indexer.feeds.reading.entry_links import about, atom_links, resolved, rss_links, story_link
from indexer.news.syndication.announced import TITLES
from indexer.news.syndication.feed_markup import (
    ATOM,
    SITEMAP,
    SITEMAP_INDEX,
    MarkupFeed,
    MarkupItem,
)
from indexer.text.cleaning import clean
from indexer.text.decoding.ladder import MAX_CONTROLS, controls

UNDECODABLE = "UnicodeEncodeError('utf-8', '', 0, 1, 'no text in any encoding')"


def read_markup(text: str, url: str, now: datetime) -> DocumentReading:
    """Read a document; of one that is cut off, the whole items before the cut. Raises BadFeed."""
    document = _Document(url, now)
    document.read(text)
    feed, entries = document.feed, document.entries
    try:
        check_root(feed, text)
        check_items(feed, len(entries))
    except BadFeed as error:
        # A picture or an archive also gives some text: control characters tell them apart.
        if controls(text, clean(text)) > MAX_CONTROLS:
            raise BadFeed(UNDECODABLE) from error
        raise
    minutes = update_minutes(feed.head, LONGEST)
    return DocumentReading(format_name(feed), document.title, minutes, entries, document.warnings)


class _Document:
    """A document while it is being read."""

    def __init__(self, url: str, now: datetime) -> None:
        self.feed = MarkupFeed()
        self.entries: list[FeedEntry] = []
        self.warnings: list[str] = []
        self._url = url
        self._now = now
        self._publication = ""

    @property
    def title(self) -> str | None:
        """The feed's title; for a sitemap, one made of its first publication's name."""
        if self.feed.format is SITEMAP:
            return one_title(f"{self._publication} Google News sitemap")
        return one_title(self.feed.head.text("title"))

    def read(self, text: str) -> None:
        """Make entries of all whole items."""
        found = self.feed.items([text])
        # The format and the base URL are known when the first item has been read.
        item = next(found, None)
        if item is None or self.feed.format is None or self.feed.format is SITEMAP_INDEX:
            return
        format, base, now = self.feed.format, self._base(), self._now
        make = _atom if format is ATOM else _sitemap if format is SITEMAP else rss_entry
        while item is not None and self._takes(item):
            self.entries.append(make(item, base, now))
            item = next(found, None)

    def _takes(self, item: MarkupItem) -> bool:
        if not item.whole:
            self.warnings.append(CUT)
        elif len(self.entries) >= MAX_ENTRIES:
            self.warnings.append(TOO_MANY)
        else:
            self._publication = self._publication or item.text("news:name")
            return True
        return False

    def _base(self) -> str:
        """The base URL of links: the document's own URL, unless the document names another."""
        base = self._url
        for name in ("root", "channel"):
            base = _base(self.feed.head, name, base)
        return base


def rss_entry(item: MarkupItem, base: str, now: datetime) -> FeedEntry:
    """The entry of an item of RSS or RDF; `base` is that of the feed."""
    guid = item.texts.get("guid", "")
    return _entry(item, story_link(rss_links(item), _base(item, "item", base)), guid, TITLES, now)


def _atom(item: MarkupItem, base: str, now: datetime) -> FeedEntry:
    link = story_link(atom_links(item), _base(item, "entry", base))
    return _entry(item, link, item.texts.get("id", ""), TITLES, now)


def _sitemap(item: MarkupItem, base: str, now: datetime) -> FeedEntry:
    link = story_link([item.texts.get("loc", "")], base)
    return _entry(item, link, "", ("news:title",), now)


def _entry(
    item: MarkupItem, link: str, guid: str, titles: tuple[str, ...], now: datetime
) -> FeedEntry:
    date = published(item.texts, now)
    return FeedEntry(
        link=link,
        guid=stored(guid if guid.strip() else about(item)),
        title=clean(item.text(*titles)).strip() or None,
        published=date.text,
        published_at=date.at,
        date_source=date.source,
    )


def _base(item: MarkupItem, name: str, base: str) -> str:
    """The base URL of the links in an item or head, if one of its elements names another."""
    own = next(item.attributes(name), {}).get("xml:base", "")
    return resolved(own, base) or base


MAXIMUM = 1440
LONGEST = 366 * 1440
"""Longest interval read, in minutes; MAXIMUM_INTERVAL_MINS limits what is stored."""

DEFAULT = 360
"""The interval for a period so short that it rounds to zero."""

PERIODS = {
    "": 1440,
    "hourly": 60,
    "always": 60,
    "daily": 1440,
    "dayly": 1440,
    "weekly": 7 * 1440,
    "monthly": 30 * 1440,
    "yearly": 365 * 1440,
}
"""Minutes of `sy:updatePeriod`."""


def update_minutes(head: MarkupItem, maximum: int = MAXIMUM) -> int | None:
    """Return the published interval in minutes from the head of a feed; None if it has none."""
    period = head.texts.get("sy:updateperiod")
    if period is None:
        return _ttl(head.text("ttl"), maximum)
    minutes = PERIODS.get(period.strip().lower())
    frequency = _number(head.texts.get("sy:updatefrequency", "1"))
    if minutes is None or frequency is None:
        return None
    return _bounded(minutes / frequency, maximum) or DEFAULT


def _ttl(text: str, maximum: int) -> int | None:
    minutes = _number(text)
    return (_bounded(minutes, maximum) or None) if minutes else None


def _bounded(minutes: float, maximum: int) -> int:
    return round(min(minutes, maximum))


def _number(text: str) -> float | None:
    """Read a finite number above 0; None for any other text."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if number > 0 and math.isfinite(number) else None
