"""Tables of URLs: CSV in its many dialects, and plain lists. A bad row costs one row.

A quote that is not closed would, in any CSV reader, swallow the rest of the file: here it does not
reach beyond the row it is in, unless some lines further it is closed as it should be.
"""

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

URL_COLUMNS = ("url", "link", "story_url", "article_url", "uri", "href", "loc")
"""Headers of the column that holds the URL, the most telling first."""

DELIMITERS = ",\t;|"
WHOLE_LINE = ""

SAMPLE_LINES = 50
MAX_LINE = 1 << 17
"""The longest line that is read, in characters; also the longest field that `csv` takes."""

MAX_ROW_LINES = 20
"""The most lines that a row with line breaks in its fields may have."""

_URL = re.compile(r"https?://[^\s\"'<>]+", re.IGNORECASE)
_SUFFIX = re.compile(r"\.(csv|tsv)(\.gz|\.gzip)?$", re.IGNORECASE)


class Layout(NamedTuple):
    """How a table is to be read: the URL's column, and whether the first row names the columns.

    Without a delimiter the whole line is the URL: URLs may have commas in them.
    """

    delimiter: str = ","
    column: int = 0
    header: bool = False


def layout(name: str, sample: Sequence[str]) -> Layout | None:
    """The layout of a table by its first lines; None where no URL is found.

    A header may name any column; without one the URL is in the first. In a file named .csv or
    .tsv a comma always ends it; in others only where the lines are more than URLs.
    """
    rows = [line for line in sample if line.strip() and not line.startswith("#")]
    if not rows:
        return None
    if not _SUFFIX.search(name) and all(_URL.fullmatch(row.strip()) for row in rows):
        return Layout(WHOLE_LINE)
    return _with_header(rows) or _without_header(rows)


def _with_header(rows: Sequence[str]) -> Layout | None:
    for delimiter in DELIMITERS:
        cells = [cell.strip().lower() for cell in _cells(rows[0], delimiter) or ()]
        found = next((name for name in URL_COLUMNS if name in cells), None)
        if found and not any(map(_URL.fullmatch, cells)):
            return Layout(delimiter, cells.index(found), header=True)
    return None


def _without_header(rows: Sequence[str]) -> Layout | None:
    def urls(delimiter: str) -> int:
        first = [(_cells(row, delimiter) or [""])[0].strip() for row in rows]
        return sum(1 for cell in first if _URL.fullmatch(cell))

    # The first of equals: a comma.
    best = max(DELIMITERS, key=urls)
    return Layout(best) if urls(best) else None


def url_cells(lines: Iterable[str | None], layout: Layout) -> Iterator[str | None]:
    """What is in the URL's column, row for row; None for a row that is blank or broken.

    A line that is None is a broken row. In a list of URLs blank lines and comments are no rows.
    """
    if layout.delimiter == WHOLE_LINE:
        return (
            line and line.strip()
            for line in lines
            if line is None or (line.strip() and not line.startswith("#"))
        )
    rows = (_cell(row, layout.column) for row in _Rows(lines, layout))
    return islice(rows, 1 if layout.header else 0, None)


def _cell(row: Sequence[str] | None, column: int) -> str | None:
    return row[column].strip() or None if row is not None and column < len(row) else None


class _Rows(Iterator[list[str] | None]):
    """The rows of a table; None for one that is broken."""

    def __init__(self, lines: Iterable[str | None], layout: Layout) -> None:
        self._lines = iter(lines)
        self._back: deque[str | None] = deque()
        self._layout = layout

    def __next__(self) -> list[str] | None:
        if (line := self._line()) is None:
            return None
        cells = _cells(line, self._layout.delimiter)
        if cells is None and self._may_go_on(line):
            return self._longer(line)
        return cells

    def _line(self) -> str | None:
        return self._back.popleft() if self._back else next(self._lines)

    def _may_go_on(self, line: str) -> bool:
        """Whether a quote is open, and not that of the URL, which has no line breaks."""
        if line.count('"') % 2 == 0 or "\0" in line:
            return False
        loose = next(csv.reader([line], delimiter=self._layout.delimiter), [])
        return len(loose) - 1 != self._layout.column

    def _longer(self, line: str) -> list[str] | None:
        """The row that begins with a line and ends some lines later; None, if it doesn't."""
        taken: list[str | None] = []
        text = line
        while len(taken) < MAX_ROW_LINES:
            try:
                more = self._line()
            except StopIteration:
                break
            taken.append(more)
            if more is None:
                break
            text += "\n" + more
            if (cells := _cells(text, self._layout.delimiter)) is not None:
                return cells
        self._back.extendleft(reversed(taken))
        return None


def _cells(text: str, delimiter: str) -> list[str] | None:
    """The cells of one row; None if it is not one, by the rules of RFC 4180."""
    if "\0" in text:
        return None
    try:
        rows = list(csv.reader([text], delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    return rows[0] if len(rows) == 1 else None
