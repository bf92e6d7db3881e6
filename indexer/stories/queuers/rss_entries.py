"""What an rss-fetcher sends of each entry, and the story that it stands for (stories.md 5.3)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC

from indexer.errors import InputError
from indexer.stories.queuers.feed_entries import TITLE_LENGTH, rfc_2822
from indexer.stories.story import RSSEntry, Story
from indexer.text.cleaning import clean, one_line
from indexer.text.dates import parse_date

LARGEST_GAP = 100_000_000
"""Entries that may be missing between two of a page: an id beyond that is a mistake, and to go on
behind it would be to miss all that comes."""

_BREAKS = re.compile(r"[\t\r\n]+")
_ID = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A row of a page, as it was sent: anything may be missing, or not what it should be."""

    sent: Mapping[str, object]

    @property
    def id(self) -> int | None:
        """Its number; None without a usable one."""
        return as_number(self.sent.get("id"))

    def story(self, server: str) -> Story:
        """What is to be fetched (stories.md 5.3); what can't be read is None."""
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


def as_number(value: object) -> int | None:
    """A number from 0 on, also one that was sent as text."""
    text = as_text(value).strip()
    return int(text) if _ID.fullmatch(text) else None


def as_text(value: object) -> str:
    """A text or a number as text; "" for anything else."""
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def usable(rows: Sequence[EntryRow], last: int | None) -> list[EntryRow]:
    """The rows of a page; one whose id is far above that of the row before has none any more.

    `last` is the id of the entry before the page, if that is known.
    """
    found: list[EntryRow] = []
    for row in rows:
        if last is not None and row.id is not None and row.id - last > LARGEST_GAP:
            row = EntryRow({**row.sent, "id": None})  # noqa: PLW2901 - the same entry, without its id
        last = row.id if row.id is not None else last
        found.append(row)
    return found


def check_order(rows: Sequence[EntryRow], first: int) -> None:
    """Check of a full page that the next one can be asked for, with nothing left out between.

    Raises InputError.
    """
    ids = [row.id for row in rows if row.id is not None]
    if not any(each >= first for each in ids):
        raise InputError(
            f"the page from {first} on is full, but has no id as high: the next would be the same"
        )
    if ids != sorted(ids):
        raise InputError(
            f"the page from {first} on is not in the order of ids: what comes next can't be told"
        )


def _url(text: str) -> str | None:
    """A URL as browsers read it: line breaks in it, and blanks around it, mean nothing."""
    return _BREAKS.sub("", clean(text)).strip() or None


def _day(text: str) -> str | None:
    """The day, in UTC, of a moment."""
    try:
        moment = parse_date(text)
        return moment.astimezone(UTC).date().isoformat() if moment else None
    except OverflowError:
        return None  # in UTC it is no day of this calendar
