"""Tables of historical stories, exported from the old system's database (stories.md 5.6).

    collect_date, stories_id, media_id, downloads_id, feeds_id, [language], url

The columns `downloads_id` and `url` are required. "Blind" tables may lack `url`: the parser takes
the URLs of their stories from the pages. A bad row is skipped.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from indexer.errors import InputError
from indexer.messages.worker import Skipped
from indexer.stories.extraction.languages import two_letters
from indexer.stories.fetching.links import DUPLICATE, LinkFilter
from indexer.stories.history.downloads import numeric_id
from indexer.stories.story import (
    NEED_CANONICAL_URL,
    ContentMetadata,
    HTTPMetadata,
    RSSEntry,
    Story,
)
from indexer.text.cleaning import clean, one_line
from indexer.text.tables.rows import BadRow, Layout, Rows

NUMBER, URL = "downloads_id", "url"

_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{1,6})?", re.ASCII)
_UNDECODABLE = "\ufffd"

Row = Mapping[str, str]
"""The cells of a row by the name of the column."""


class History:
    """The stories of one table. `via` is the name of the file, `day` the date in that name."""

    def __init__(
        self, via: str, day: str | None, links: LinkFilter, *, blind: bool = False
    ) -> None:
        self._via = via
        self._day = day
        self._links = links
        self._blind = blind
        self._numbers: set[int] = set()

    def read(self, lines: Iterable[str | None]) -> Iterator[Story | Skipped]:
        """A story or the reason for skipping, for each row. Raises InputError without a header."""
        lines = iter(lines)
        names = self._header(next(lines, None))
        column = names.index(URL if URL in names else NUMBER)
        for count, row in enumerate(Rows(lines, Layout(column=column)), 1):
            yield self._story(f"{self._via} row {count}", _named(names, row))

    def _header(self, line: str | None) -> list[str]:
        first = next(Rows(iter([line]), Layout())) if line else []
        names = [] if isinstance(first, BadRow) else [cell.strip().lower() for cell in first]
        if NUMBER not in names or not (self._blind or URL in names):
            raise InputError(f"{self._via}: {_complaint(names)}")
        return names

    def _story(self, label: str, row: Row | BadRow) -> Story | Skipped:
        if isinstance(row, BadRow):
            return Skipped("bad-row", label, row.why)
        number = numeric_id(row[NUMBER])
        if number is None:
            return Skipped("bad-dlid", label, f"not a number: {one_line(row[NUMBER], 100)!r}")
        collected = row.get("collect_date", "")
        try:
            stamp = timestamp(collected)
        except ValueError:
            return Skipped("bad-date", label, f"collect_date: {one_line(collected, 100)!r}")
        url = row.get(URL) or NEED_CANONICAL_URL
        return self._refusal(number, url, label) or self._made(number, url, stamp, row)

    def _refusal(self, number: int, url: str, label: str) -> Skipped | None:
        """The reason for not queuing a story: a bad URL, or a duplicate in this table; or None."""
        if url != NEED_CANONICAL_URL:
            if _UNDECODABLE in url or clean(url) != url:
                return Skipped("bad-row", label, "characters that a URL can't contain")
            return self._links.refusal(url)
        if not self._blind:
            return Skipped("no-url", label, f"downloads_id {number}")
        # All blind stories have the same placeholder for a URL: only numbers tell them apart.
        if number in self._numbers:
            return Skipped(DUPLICATE, str(number))
        self._numbers.add(number)
        return None

    def _made(self, number: int, url: str, stamp: float | None, row: Row) -> Story:
        language = one_line(row.get("language", ""), 100) or None
        return Story(
            rss_entry=RSSEntry(
                link=str(number),
                fetch_date=self._day,
                source_feed_id=numeric_id(row.get("feeds_id")),
                source_source_id=numeric_id(row.get("media_id")),
                via=self._via,
            ),
            http_metadata=HTTPMetadata(final_url=url, fetch_timestamp=stamp),
            content_metadata=ContentMetadata(
                language=two_letters(language), full_language=language
            ),
        )


def _complaint(names: Sequence[str]) -> str:
    """The error message for a first line without the required columns."""
    missing = NUMBER if NUMBER not in names else URL
    found = one_line(", ".join(names), 200) or "nothing"
    hint = "" if missing is NUMBER else "; --allow-no-url reads tables without"
    return f"its first line names no column {missing}, but {found}{hint}"


def timestamp(collected: str) -> float | None:
    """A `collect_date`, YYYY-MM-DD HH:MM:SS[.ffffff] in UTC, in seconds since the epoch.

    None if it is blank. Raises ValueError if it is invalid.
    """
    if not collected:
        return None
    if not _MOMENT.fullmatch(collected):
        raise ValueError("not a date and time")
    return datetime.fromisoformat(collected).replace(tzinfo=UTC).timestamp()


def _named(names: Sequence[str], row: Sequence[str] | BadRow) -> Row | BadRow:
    if isinstance(row, BadRow):
        return row
    if len(row) > len(names):
        return BadRow("more cells than columns: is a comma not quoted?")
    cells = [cell.strip() for cell in row] + [""] * (len(names) - len(row))
    return dict(zip(names, cells, strict=True))
