"""When an item was published, by the first of its dates that can be true (feeds.md 7.2)."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from indexer.text.cleaning import clean
from indexer.text.dates import parse_date

EARLIEST = datetime(1990, 1, 1)
AHEAD = timedelta(hours=24)
"""What is before the web, or further in the future, is nobody's date of publication."""

RAW_LENGTH = 200

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
"""Elements by the names they have here, in the order of belief, and what each is called."""


class Published(NamedTuple):
    """A date as it is written, the moment that it means, and the element that it is of."""

    text: str | None = None
    at: datetime | None = None
    source: str | None = None


def published(texts: Mapping[str, str], now: datetime) -> Published:
    """The date of an item in XML, by its texts."""
    return first(((source, texts[name]) for name, source in CHAIN if name in texts), now)


def first(found: Iterable[tuple[str, str]], now: datetime) -> Published:
    """The first date, with its source, that can be true; else the first as it is written."""
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
    """The moment that a date means, UTC without a zone; None if it is none, or out of range."""
    found = parse_date(text)
    if found is None:
        return None
    try:
        at = found.replace(tzinfo=None) if found.tzinfo is UTC else _utc(found)
    except OverflowError:
        return None
    return at if EARLIEST <= at <= now + AHEAD else None


def _utc(found: datetime) -> datetime:
    return found.astimezone(UTC).replace(tzinfo=None)
