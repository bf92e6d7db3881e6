"""Reads JSON Feed 1.0 and 1.1."""

import re
from datetime import datetime
from typing import Any

from indexer.errors import BadFeed
from indexer.feeds.reading.document_kinds import NO_VERSION
from indexer.feeds.reading.entry import (
    CUT,
    MAX_ENTRIES,
    DocumentReading,
    FeedEntry,
    first,
    one_title,
    stored,
)
from indexer.feeds.reading.entry_links import story_link, web
from indexer.news.syndication.json_feed import parsed, salvaged, text_of
from indexer.text.cleaning import clean

MAX_CHARACTERS = 10_000_000
"""Parsed JSON takes up to thirty times the memory of its text."""

_VERSION = re.compile(r"https?://(?:www\.)?jsonfeed\.org/version/([0-9.]{1,10})", re.IGNORECASE)
_DATES = ("date_published", "date_modified")


def read_json(text: str, url: str, now: datetime) -> DocumentReading:
    """Read a JSON Feed; of one that is cut off, the items before the cut. Raises BadFeed."""
    if len(text) > MAX_CHARACTERS:
        raise BadFeed(f"Exception('JSON of more than {MAX_CHARACTERS} characters')")
    cut = False
    try:
        feed = parsed(text)
        items = feed.get("items") if isinstance(feed, dict) else None
    except ValueError:
        (feed, items), cut = salvaged(text), True
    version = _VERSION.match(text_of(feed, "version") if isinstance(feed, dict) else "")
    if version is None:
        raise BadFeed(NO_VERSION)
    found = items[:MAX_ENTRIES] if isinstance(items, list) else []
    return DocumentReading(
        f"json feed {version[1].rstrip('.')}",
        one_title(text_of(feed, "title")),
        entries=[_entry(item if isinstance(item, dict) else {}, url, now) for item in found],
        warnings=[CUT] if cut else [],
    )


def _entry(item: dict[str, Any], base: str, now: datetime) -> FeedEntry:
    guid = _identity(item.get("id"))
    links = [text_of(item, "url"), text_of(item, "external_url"), *web(guid)]
    date = first(((name, text_of(item, name)) for name in _DATES), now)
    return FeedEntry(
        link=story_link((link for link in links if link), base),
        guid=stored(guid),
        title=clean(text_of(item, "title")).strip() or None,
        published=date.text,
        published_at=date.at,
        date_source=date.source,
    )


def _identity(value: Any) -> str:
    """Return an item's id as text: some feeds give a number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value)
