"""The result of reading a document."""

from dataclasses import dataclass, field

from indexer.feeds.reading.entry import FeedEntry
from indexer.text.cleaning import clean

MAX_ENTRIES = 100_000
"""Most entries read from one document: twice what a sitemap may have."""

CUT = "cut off in mid item"
TOO_MANY = f"only the first {MAX_ENTRIES} items were read"

TITLE_LENGTH = 1000


@dataclass(slots=True)
class DocumentReading:
    """A document's fields and entries. `format`: as `rss 2.0`; `warnings` are for people."""

    format: str
    title: str | None = None
    update_minutes: int | None = None
    entries: list[FeedEntry] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def one_title(text: str) -> str | None:
    """Put a feed's title on one line; None for a blank one."""
    return " ".join(clean(text).split())[:TITLE_LENGTH].rstrip() or None
