"""Entries as an rss-fetcher sends them, and their stories (stories.md 5.3)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC

from indexer.errors import InputError
from indexer.stories.queuers.feed_entries import TITLE_LENGTH, as_number, as_text, rfc_2822
from indexer.stories.story import RSSEntry, Story
from indexer.text.cleaning import clean, one_line
from indexer.text.dates import parse_date

# An id that is much higher than the one before is a mistake of the server. A bookmark at such an id
# would skip all entries that come.
LARGEST_GAP = 100_000_000

_BREAKS = re.compile(r"[\t\r\n]+")


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A row of a page as the server sent it: any field may be missing or of a wrong type."""

    sent: Mapping[str, object]

    @property
    def id(self) -> int | None:
        """The entry's number; None if it is unusable."""
        return as_number(self.sent.get("id"))

    def story(self, server: str) -> Story:
        """The story to fetch; unusable fields are None."""
        entry = RSSEntry(
            link=_url(as_text(self.sent.get("url"))),
            title=one_line(as_text(self.sent.get("title")), TITLE_LENGTH) or None,
            domain=one_line(as_text(self.sent.get("domain"))) or None,
            pub_date=rfc_2822(as_text(self.sent.get("published_at"))),
            fetch_date=_day(as_text(self.sent.get("fetched_at"))),
            source_url=_url(as_text(self.sent.get("feed_url"))),
            source_feed_id=as_number(self.sent.get("feed_id")),
            source_source_id=as_number(self.sent.get("sources_id")),
            via=server if self.id is None else f"{self.id}@{server}",
        )
        return Story(rss_entry=entry)


def usable(rows: Sequence[EntryRow], last: int | None) -> list[EntryRow]:
    """The rows of a page; a row whose id is far above that of the row before loses its id.

    `last` is the id of the entry before the page, if it is known.
    """
    found: list[EntryRow] = []
    for row in rows:
        if last is not None and row.id is not None and row.id - last > LARGEST_GAP:
            row = EntryRow({**row.sent, "id": None})  # noqa: PLW2901 - the same entry, without its id
        last = row.id if row.id is not None else last
        found.append(row)
    return found


def check_order(rows: Sequence[EntryRow], first: int) -> None:
    """Raises InputError if a full page doesn't tell at which id the next page begins."""
    ids = [row.id for row in rows if row.id is not None]
    if not any(each >= first for each in ids):
        raise InputError(
            f"the page from {first} on is full, but has no id that high: the next request would "
            "return the same page"
        )
    if ids != sorted(ids):
        raise InputError(
            f"the page from {first} on is not in the order of ids: the next page is unknown"
        )


def _url(text: str) -> str | None:
    """A URL as browsers read it: without line breaks in it, and without blanks around it."""
    return _BREAKS.sub("", clean(text)).strip() or None


def _day(text: str) -> str | None:
    """The day of a date and time, in UTC."""
    try:
        moment = parse_date(text)
        return moment.astimezone(UTC).date().isoformat() if moment else None
    except OverflowError:
        return None  # in UTC, before the year 1 or after 9999
