"""The entries of a document as they are read, before they are tested: feeds.md 7.2.

The time of an entry is its first date that can be true.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import msgspec

from indexer.news.syndication.announced import DATES
from indexer.text.cleaning import clean
from indexer.text.dates import ZONE_UNKNOWN, read_date


class FeedEntry(msgspec.Struct, kw_only=True):
    """An entry's fields, without characters that can't be stored.

    `link` is absolute if the entry or the feed has a base URL, else as written; "" for none.
    `published` is the date as written; `published_at` the same as a time in UTC without a zone, or
    None if it can't be read or can't be true; `date_source` the element that it was read from, with
    the note ZONE_UNKNOWN if only the day is known.
    """

    link: str = ""
    guid: str | None = None
    title: str | None = None
    published: str | None = None
    published_at: datetime | None = None
    date_source: str | None = None

    @property
    def unread_date(self) -> str | None:
        """The date as written, unless `published_at` says all of it."""
        is_read = self.published_at and not (self.date_source or "").endswith(ZONE_UNKNOWN)
        return None if is_read else self.published


EARLIEST = datetime(1990, 1, 1)
AHEAD = timedelta(hours=24)
"""Dates before the web, or further in the future, are not dates of publication."""

RAW_LENGTH = 200
"""Characters kept of a date as written."""


class Published(NamedTuple):
    """A date as written, its time in UTC, and the element that it was read from."""

    text: str | None = None
    at: datetime | None = None
    source: str | None = None


def published(texts: Mapping[str, str], now: datetime) -> Published:
    """Find the date of an entry in XML; `texts` are its elements' texts by name."""
    return first(((source, texts[name]) for name, source in DATES.items() if name in texts), now)


def first(dates: Iterable[tuple[str, str]], now: datetime) -> Published:
    """Return the first date that can be true; if none can, the first one as written."""
    written = Published()
    for source, text in dates:
        if not text or text.isspace():
            continue
        raw = clean(" ".join(text[:RAW_LENGTH].split()))
        found = read_date(text)
        if found and (at := _possible(found.at, now)):
            return Published(raw, at, source if found.zone_known else f"{source} {ZONE_UNKNOWN}")
        if written.text is None:
            written = Published(raw, None, source)
    return written


def _possible(date: datetime, now: datetime) -> datetime | None:
    """A date in UTC, without a zone; None if it is out of range."""
    try:
        at = date.astimezone(UTC).replace(tzinfo=None)
    except OverflowError:
        # Years 1 and 9999 leave the calendar when they are shifted to UTC.
        return None
    return at if EARLIEST <= at <= now + AHEAD else None


MAX_ENTRIES = 100_000
"""Most entries read from one document: twice what a sitemap may have."""

CUT = "cut off in mid item"
TOO_MANY = f"only the first {MAX_ENTRIES} items were read"

FEED_TITLE_LENGTH = 1000


@dataclass(slots=True)
class DocumentReading:
    """A document's fields and entries. `format`: as `rss 2.0`; `warnings` are for people."""

    format: str
    title: str | None = None
    update_minutes: int | None = None
    entries: list[FeedEntry] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def stored(identifier: str) -> str | None:
    """Return an identifier as given, without characters that can't be stored; None if blank."""
    cleaned = clean(identifier)
    return cleaned if cleaned.strip() else None


def one_title(text: str) -> str | None:
    """Put a feed's title on one line; None for a blank one."""
    return " ".join(clean(text).split())[:FEED_TITLE_LENGTH].rstrip() or None
