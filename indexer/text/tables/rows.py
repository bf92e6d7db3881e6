"""Reads the rows of tables of URLs: CSV in its many dialects, and lists. A bad row costs one row.

`columns` judges the layout.

In usual CSV readers an unclosed quote takes in the rest of the file. Here it ends with its row,
unless the quote is closed properly some lines later and no complete row is between.
"""

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

DELIMITERS = ",\t;|"
WHOLE_LINE = ""

MAX_LINE = 1 << 17
"""The maximal length of a line in characters; the `csv` module has the same limit for a field."""

MAX_ROW_LINES = 20
"""The maximal number of lines of a row with line breaks in its fields."""

_URL = re.compile(r"https?://[^\s\"'<>]+", re.IGNORECASE)


class Layout(NamedTuple):
    """The format of a table: the URL's column, and the number of first lines that are no rows.

    Without a delimiter the whole line is the URL, as URLs may contain commas.
    """

    delimiter: str = ","
    column: int = 0
    above: int = 0


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
    rows = Rows(islice(lines, layout.above, None), layout)
    return (_cell(row, layout.column) for row in rows)


def _cell(row: Sequence[str] | BadRow, column: int) -> str | BadRow:
    if isinstance(row, BadRow):
        return row
    return (row[column].strip() if column < len(row) else "") or NO_URL


class Rows(Iterator[list[str] | BadRow]):
    """Iterates over the cells or the fault of each row of a table."""

    def __init__(self, lines: Iterable[str | None], layout: Layout) -> None:
        self._lines = iter(lines)
        self._back: deque[str | None] = deque()
        self._layout = layout

    def __next__(self) -> list[str] | BadRow:
        line = self._line()
        if line is None or not line.strip():
            return TOO_LONG if line is None else BLANK
        found = cells(line, self._layout.delimiter)
        if found is None and is_open(line):
            found = self._longer(line)
        return _fault(line) if found is None else found

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
            if (found := cells(line, self._layout.delimiter)) is not None:
                return found
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
        found = cells(line, self._layout.delimiter) or []
        column = self._layout.column
        return len(found) >= max(width, column + 1) and is_url(found[column])


def is_url(cell: str) -> bool:
    """Whether a cell has a URL of the web, and nothing else."""
    return bool(_URL.fullmatch(cell.strip()))


def is_open(line: str) -> bool:
    """Whether a row may continue in the next line: a quote in it is not closed."""
    return line.count('"') % 2 == 1 and "\0" not in line


def _fault(line: str) -> BadRow:
    """Return the fault of a line that is not a row."""
    if "\0" in line:
        return NUL
    return UNCLOSED if is_open(line) else MISQUOTED


def cells(text: str, delimiter: str) -> list[str] | None:
    """Return the cells of a row; None if it breaks the rules of RFC 4180."""
    if "\0" in text:
        return None
    try:
        rows = list(csv.reader([text], delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    return rows[0] if len(rows) == 1 else None
