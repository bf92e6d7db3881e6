"""What reading a document results in."""

from dataclasses import dataclass, field

from indexer.feeds.reading.entry import FeedEntry
from indexer.text.cleaning import clean

MAX_ENTRIES = 100_000
"""So many are read of a document: twice what a sitemap may have."""

CUT = "cut off in mid item"
TOO_MANY = f"only the first {MAX_ENTRIES} items were read"

TITLE_LENGTH = 1000


@dataclass(slots=True)
class DocumentReading:
    """What a document says, as `rss 2.0` or the like; `warnings` are for people."""

    format: str
    title: str | None = None
    update_minutes: int | None = None
    entries: list[FeedEntry] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def one_title(text: str) -> str | None:
    """A feed's title, on one line; None for a blank one."""
    return " ".join(clean(text).split())[:TITLE_LENGTH].rstrip() or None
