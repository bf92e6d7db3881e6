"""Reads a document again with feedparser, if our reader found no item with a link in it."""

from datetime import datetime

from indexer.errors import SandboxError
from indexer.feeds.reading.entry import MAX_ENTRIES, TOO_MANY, DocumentReading, one_title
from indexer.feeds.reading.markup_reading import rss_entry
from indexer.news.syndication.second_reader import SecondReader
from indexer.system.loggers import get_logger

log = get_logger()

FORMAT = "feedparser"
"""The format of a document of which feedparser does not tell one."""


def read_again(
    second: SecondReader, text: str, url: str, now: datetime, why: str
) -> DocumentReading | None:
    """Return the document as feedparser reads it; None if it finds no item with a link either.

    `why` is the reason for the note.
    """
    try:
        found = second.read(text)
    except (SandboxError, OSError) as error:
        log.warning("feedparser gives no answer", url=url, why=str(error))
        return None
    entries = [rss_entry(item, url, now) for item in found.items[:MAX_ENTRIES]]
    if not any(entry.link for entry in entries):
        return None
    warnings = [f"read by feedparser: {why}"]
    if len(found.items) > MAX_ENTRIES:
        warnings.append(TOO_MANY)
    title = one_title(found.head.text("title"))
    return DocumentReading(found.version or FORMAT, title, None, entries, warnings)
