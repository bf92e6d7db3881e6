"""The time at which an entry was published: its first date that can be true (feeds.md 7.2)."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from indexer.text.cleaning import clean
from indexer.text.dates import parse_date

EARLIEST = datetime(1990, 1, 1)
AHEAD = timedelta(hours=24)
"""Dates before the web, or further in the future, are not dates of publication."""

RAW_LENGTH = 200
"""Characters kept of a date as written."""

CHAIN = (
    ("pubdate", "pubDate"),
    ("published", "published"),
    ("atom:published", "published"),
    ("issued", "issued"),
    ("dcterms:issued", "dcterms:issued"),
    ("news:publication_date", "news:publication_date"),
    ("dc:date", "dc:date"),
    ("created", "created"),
    ("dcterms:created", "dcterms:created"),
    ("updated", "updated"),
    ("atom:updated", "updated"),
    ("modified", "modified"),
)
"""Names of elements and the source that is stored for each, the most trusted first.

Dates of publication come before dates of creation, and dates of change last.
"""


class Published(NamedTuple):
    """A date as written, its time in UTC, and the element that it was read from."""

    text: str | None = None
    at: datetime | None = None
    source: str | None = None


def published(texts: Mapping[str, str], now: datetime) -> Published:
    """Find the date of an entry in XML; `texts` are its elements' texts by name."""
    return first(((source, texts[name]) for name, source in CHAIN if name in texts), now)


def first(found: Iterable[tuple[str, str]], now: datetime) -> Published:
    """Return the first date that can be true; if none can, the first one as written."""
    written = Published()
    for source, text in found:
        if not text or text.isspace():
            continue
        raw = clean(" ".join(text[:RAW_LENGTH].split()))
        if at := moment(text, now):
            return Published(raw, at, source)
        if written.text is None:
            written = Published(raw, None, source)
    return written


def moment(text: str, now: datetime) -> datetime | None:
    """Read a date as UTC without a zone; None if it can't be read or is out of range."""
    found = parse_date(text)
    try:
        at = found.astimezone(UTC).replace(tzinfo=None) if found else None
    except OverflowError:
        # Years 1 and 9999 leave the calendar when they are shifted to UTC.
        return None
    return at if at and EARLIEST <= at <= now + AHEAD else None
