"""Tables of URLs: CSV in its many dialects, and plain lists. A bad row costs one row.

A quote that is not closed would, in any CSV reader, swallow the rest of the file: here it does not
reach beyond the row it is in, unless some lines further it is closed as it should be, with no
whole row of its own between.
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


class BadRow(NamedTuple):
    """A row without a URL, and why, in words for whoever wrote it."""

    why: str


BLANK = BadRow("a blank line")
NO_URL = BadRow("no URL in it")
NUL = BadRow("a NUL character")
TOO_LONG = BadRow(f"longer than {MAX_LINE} characters")
UNCLOSED = BadRow("an unclosed quote")
MISQUOTED = BadRow("a quote in the middle of a field")


def url_cells(lines: Iterable[str | None], layout: Layout) -> Iterator[str | BadRow]:
    """What is in the URL's column, row for row, or what is wrong with the row.

    A line that is None is too long. In a list of URLs blank lines and comments are no rows.
    """
    if layout.delimiter == WHOLE_LINE:
        return (
            TOO_LONG if line is None else line.strip()
            for line in lines
            if line is None or (line.strip() and not line.startswith("#"))
        )
    rows = (_cell(row, layout.column) for row in Rows(lines, layout))
    return islice(rows, 1 if layout.header else 0, None)


def _cell(row: Sequence[str] | BadRow, column: int) -> str | BadRow:
    if isinstance(row, BadRow):
        return row
    return (row[column].strip() if column < len(row) else "") or NO_URL


class Rows(Iterator[list[str] | BadRow]):
    """The rows of a table, that with the names of its columns too; or what is wrong with a row."""

    def __init__(self, lines: Iterable[str | None], layout: Layout) -> None:
        self._lines = iter(lines)
        self._back: deque[str | None] = deque()
        self._layout = layout

    def __next__(self) -> list[str] | BadRow:
        line = self._line()
        if line is None or not line.strip():
            return TOO_LONG if line is None else BLANK
        cells = _cells(line, self._layout.delimiter)
        if cells is None and _is_open(line):
            cells = self._longer(line)
        return _fault(line) if cells is None else cells

    @property
    def ahead(self) -> int:
        """How many lines it has taken that belong to rows to come."""
        return len(self._back)

    def _line(self) -> str | None:
        return self._back.popleft() if self._back else next(self._lines)

    def _longer(self, line: str) -> list[str] | None:
        """The row that begins with a line and ends some lines later; None, if it doesn't."""
        width = len(next(csv.reader([line], delimiter=self._layout.delimiter), []))
        if width - 1 == self._layout.column:
            return None  # the open quote is that of the URL, which has no line breaks
        taken: list[str | None] = []
        while len(taken) < MAX_ROW_LINES and (more := self._next_part(taken, width)) is not None:
            line += "\n" + more
            if (cells := _cells(line, self._layout.delimiter)) is not None:
                return cells
        self._back.extendleft(reversed(taken))
        return None

    def _next_part(self, taken: list[str | None], width: int) -> str | None:
        """The next line, also put to those `taken`; None where it is none of this row."""
        try:
            taken.append(more := self._line())
        except StopIteration:
            return None
        return None if more is None or self._is_row(more, width) else more

    def _is_row(self, line: str, width: int) -> bool:
        """Whether a line is all of a row: a text may have a URL in it, but no row with one."""
        cells = _cells(line, self._layout.delimiter) or []
        column = self._layout.column
        return len(cells) >= max(width, column + 1) and bool(_URL.fullmatch(cells[column].strip()))


def _is_open(line: str) -> bool:
    return line.count('"') % 2 == 1 and "\0" not in line


def _fault(line: str) -> BadRow:
    """What is wrong with a line that is no row."""
    if "\0" in line:
        return NUL
    return UNCLOSED if _is_open(line) else MISQUOTED


def _cells(text: str, delimiter: str) -> list[str] | None:
    """The cells of one row; None if it is not one, by the rules of RFC 4180."""
    if "\0" in text:
        return None
    try:
        rows = list(csv.reader([text], delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    return rows[0] if len(rows) == 1 else None
