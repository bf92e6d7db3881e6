"""Reads tables of URLs: CSV in its many dialects, and plain lists. A bad row costs one row.

In usual CSV readers an unclosed quote takes in the rest of the file. Here it ends with its row,
unless the quote is closed properly some lines later and no complete row is between.
"""

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

URL_COLUMNS = ("url", "link", "story_url", "article_url", "uri", "href", "loc")
"""Headers of the column with the URL, the most specific first."""

DELIMITERS = ",\t;|"
WHOLE_LINE = ""

SAMPLE_LINES = 50
MAX_LINE = 1 << 17
"""The maximal length of a line in characters; the `csv` module has the same limit for a field."""

MAX_ROW_LINES = 20
"""The maximal number of lines of a row with line breaks in its fields."""

_URL = re.compile(r"https?://[^\s\"'<>]+", re.IGNORECASE)
_SUFFIX = re.compile(r"\.(csv|tsv)(\.gz|\.gzip)?$", re.IGNORECASE)


class Layout(NamedTuple):
    """The format of a table: the URL's column, and whether the first row names the columns.

    Without a delimiter the whole line is the URL, as URLs may contain commas.
    """

    delimiter: str = ","
    column: int = 0
    header: bool = False


def layout(name: str, sample: Sequence[str]) -> Layout | None:
    """Return the layout of a table, judged by its first lines; None if they have no URL.

    A header may name any column; without a header the URL is in the first one. In a file named
    .csv or .tsv a comma always ends the URL; in others only if some lines are more than a URL.
    """
    # Lists of URLs may have comments.
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

    # `max` returns the first of equals, so a comma wins.
    best = max(DELIMITERS, key=urls)
    return Layout(best) if urls(best) else None


class BadRow(NamedTuple):
    """A row without a URL, and the reason in words for the author of the file."""

    why: str


BLANK = BadRow("a blank line")
NO_URL = BadRow("no URL in it")
NUL = BadRow("a NUL character")
TOO_LONG = BadRow(f"longer than {MAX_LINE} characters")
UNCLOSED = BadRow("an unclosed quote")
MISQUOTED = BadRow("a quote in the middle of a field")


def url_cells(lines: Iterable[str | None], layout: Layout) -> Iterator[str | BadRow]:
    """Yield the URL cell or the fault of each row.

    A line that is None was too long. In a list of URLs, blank lines and comments are not rows.
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
    """Iterates over the cells or the fault of each row of a table, including its header."""

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
        """The number of lines that were read ahead and belong to later rows."""
        return len(self._back)

    def _line(self) -> str | None:
        return self._back.popleft() if self._back else next(self._lines)

    def _longer(self, line: str) -> list[str] | None:
        """Return the row that begins with this line and ends some lines later; else None."""
        width = len(next(csv.reader([line], delimiter=self._layout.delimiter), []))
        # The open quote is before the URL, which has no line breaks.
        if width - 1 == self._layout.column:
            return None
        taken: list[str | None] = []
        while len(taken) < MAX_ROW_LINES and (more := self._next_part(taken, width)) is not None:
            line += "\n" + more
            if (cells := _cells(line, self._layout.delimiter)) is not None:
                return cells
        # The quote was a mistake, so the lines after it are rows of their own.
        self._back.extendleft(reversed(taken))
        return None

    def _next_part(self, taken: list[str | None], width: int) -> str | None:
        """Return the next line and add it to `taken`; None if it does not belong to this row."""
        try:
            taken.append(more := self._line())
        except StopIteration:
            return None
        return None if more is None or self._is_row(more, width) else more

    def _is_row(self, line: str, width: int) -> bool:
        """Return whether a line is a complete row with a URL in the right column."""
        cells = _cells(line, self._layout.delimiter) or []
        column = self._layout.column
        return len(cells) >= max(width, column + 1) and bool(_URL.fullmatch(cells[column].strip()))


def _is_open(line: str) -> bool:
    return line.count('"') % 2 == 1 and "\0" not in line


def _fault(line: str) -> BadRow:
    """Return the fault of a line that is not a row."""
    if "\0" in line:
        return NUL
    return UNCLOSED if _is_open(line) else MISQUOTED


def _cells(text: str, delimiter: str) -> list[str] | None:
    """Return the cells of one row; None if it breaks the rules of RFC 4180."""
    if "\0" in text:
        return None
    try:
        rows = list(csv.reader([text], delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    return rows[0] if len(rows) == 1 else None
