"""Judges the layout of tables by their first lines: the delimiter, and the columns by their names.

In the wild, tables come from these programs:

Excel          the encoding of the system, like windows-1252; semicolons in half of Europe; tabs
               and UTF-16 as "Unicode text"; rows of nothing but delimiters; it reads a first line
               `sep=;`, which other programs write
Google Sheets  quoted line breaks, also in names of columns
Numbers        the name of the table in a line above the names of its columns
PowerShell     a first line `#TYPE System.Object`
"""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple, Self

from indexer.errors import ConfigurationError
from indexer.text.cleaning import one_line
from indexer.text.decoding.texts import lines, table_head
from indexer.text.tables.rows import (
    DELIMITERS,
    MAX_LINE,
    MAX_ROW_LINES,
    WHOLE_LINE,
    Layout,
    cells,
    is_open,
    is_url,
)
from indexer.text.unpacking import HEAD

URL = "url"
"""Our name of the column without which a table can't be read."""

MOST_ABOVE = 5
"""Rows above the names of columns."""

MOST_OPTIONS = 3
"""The most columns with URLs that a complaint proposes."""

SAMPLE_LINES = 50
"""The first lines, by which a table is judged."""

SHOWN = 60
"""The most characters that are shown of a name."""

EXPORT = "a spreadsheet or a ZIP file: export its table as CSV"
"""What to do with a file that `is_spreadsheet`."""

_SEPARATOR = re.compile(r'"?sep=([^\w\s"]|\t)"?', re.IGNORECASE)
_CSV_NAME = re.compile(r"\.(csv|tsv)(\.gz|\.gzip)?$", re.IGNORECASE)


class HeaderRow(NamedTuple):
    """The row with the names of columns: the layout of the rows below, the places by our names."""

    layout: Layout
    places: Mapping[str, int]


@dataclass(frozen=True)
class Columns:
    """The columns that are read, and the names that they may have, the most specific first.

    Case, blanks and punctuation do not count. `chosen` has names that a person has given, for
    columns that are named otherwise: they come before the known ones.
    """

    known: Mapping[str, Sequence[str]]
    chosen: Mapping[str, str] = field(default_factory=dict)

    def choosing(self, given: Sequence[str]) -> Self:
        """The same columns with a person's names, written like `url=Web Address`.

        Raises ConfigurationError.
        """
        pairs = [item.partition("=") for item in given]
        chosen = {ours.strip().lower(): name for ours, _, name in pairs}
        if unknown := [ours for ours in chosen if ours not in self.known]:
            raise ConfigurationError(
                f"--column {unknown[0]}=…: the columns that are read are {', '.join(self.known)}"
            )
        if not all(_key(name) for name in chosen.values()):
            raise ConfigurationError('--column: write it as COLUMN=NAME, like url="Web Address"')
        return replace(self, chosen={**self.chosen, **chosen})

    def header(self, sample: Sequence[str]) -> HeaderRow | None:
        """The row with the names of columns; None if the URL's is not among the first rows."""
        delimiters, start = separator(sample)
        for rank, (at, _) in enumerate(islice(_texts(sample, start), MOST_ABOVE + 1)):
            for delimiter in delimiters:
                row, end = _row(sample, at, delimiter)
                places = self._places(row)
                # Above other rows, a single word is more probably a title.
                if URL in places and (len(row) > 1 or not rank):
                    return HeaderRow(Layout(delimiter, places[URL], end), places)
                if any(map(is_url, row)):
                    return None
        return None

    def complaint(self, sample: Sequence[str]) -> str:
        """Why a table with URLs can't be read, and what to type; blank if there is no such table.

        It names the columns that the table has, and those that are recognised.
        """
        delimiters, start = separator(sample)
        found = [table for each in delimiters if (table := _unnamed(sample, start, each))]
        if not found or self.header(sample):
            return ""
        names, with_urls = max(found, key=lambda table: len(table[0]))
        has = f"its columns are {', '.join(filter(None, names))}"
        if URL in self.chosen:
            return f"no column is named {self.chosen[URL]}: {has}"
        options = [f"--column {shlex.quote(f'{URL}={name}')}" for name in with_urls[:MOST_OPTIONS]]
        recognised = ", ".join(
            dict.fromkeys(name for known in self.known.values() for name in known)
        )
        return (
            f"no column is recognised as the URL's: {has}; recognised are {recognised}; "
            f"name it with {' or '.join(options)}"
        )

    def missing(self, header: HeaderRow) -> list[str]:
        """The names that a person has given, and that no column has."""
        return [name for ours, name in self.chosen.items() if ours not in header.places]

    def _places(self, row: Sequence[str]) -> dict[str, int]:
        """The positions of columns in a row of names; none for a row with a URL."""
        if any(map(is_url, row)):
            return {}
        keys = [_key(cell) for cell in row]
        places = {}
        for ours, known in self.known.items():
            names = map(_key, [self.chosen.get(ours, ""), *known])
            if key := next((key for key in names if key and key in keys), ""):
                places[ours] = keys.index(key)
        return places


def layout(name: str, sample: Sequence[str], columns: Columns) -> Layout | None:
    """The layout of a table of URLs, judged by its first lines; None if they have no URL.

    Without names of columns the URL is in the first one. In a file named .csv or .tsv a delimiter
    always ends the URL; in others only if some lines are more than a URL.
    """
    # Lists of URLs may have comments.
    rows = [line for _, line in _texts(sample, 0)]
    if not rows:
        return None
    if not is_csv_name(name) and all(map(is_url, rows)):
        return Layout(WHOLE_LINE)
    if header := columns.header(sample):
        return header.layout
    # A name that was given for the URL's column, and that no column has, is a mistake.
    return None if columns.chosen and columns.complaint(sample) else _without_header(sample)


def sample_of(head: bytes) -> list[str]:
    """The first lines of a file, by its first HEAD bytes; lines that are too long are blank.

    A file that goes on after these bytes has its last line cut: it is left out.
    """
    text = table_head(head)
    found = [line or "" for line in islice(lines([text], MAX_LINE), SAMPLE_LINES)]
    is_cut = len(head) >= HEAD and 1 < len(found) < SAMPLE_LINES and not text.endswith("\n")
    return found[:-1] if is_cut else found


def is_spreadsheet(head: bytes) -> bool:
    """Whether a file begins as spreadsheets' own do: .xlsx, .ods, .numbers (ZIP), .xls (OLE)."""
    return head.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0"))


def is_csv_name(name: str) -> bool:
    """Whether a file's name says that it is a table."""
    return bool(_CSV_NAME.search(name))


def _without_header(sample: Sequence[str]) -> Layout | None:
    delimiters, start = separator(sample)
    rows = [line for _, line in _texts(sample, start)]

    def urls(delimiter: str) -> int:
        return sum(1 for row in rows if is_url((cells(row, delimiter) or [""])[0]))

    # `max` returns the first of equals, so a comma wins.
    best = max(delimiters, key=urls)
    return Layout(best, above=start) if urls(best) else None


def separator(sample: Sequence[str]) -> tuple[str, int]:
    """The possible delimiters, and the number of lines that name them: `sep=;` is for Excel."""
    if sample and (found := _SEPARATOR.fullmatch(sample[0].strip(" \r"))):
        return found[1], 1
    return DELIMITERS, 0


def _texts(sample: Sequence[str], start: int) -> Iterator[tuple[int, str]]:
    """The lines that are neither blank nor comments, with their positions."""
    for at in range(start, len(sample)):
        if sample[at].strip() and not sample[at].startswith("#"):
            yield at, sample[at]


def _row(sample: Sequence[str], at: int, delimiter: str) -> tuple[list[str], int]:
    """The cells of the row at a position, and the position after it; broken rows have no cells."""
    text = sample[at]
    for end in range(at + 1, min(len(sample), at + MAX_ROW_LINES) + 1):
        if (found := cells(text, delimiter)) is not None or not is_open(text):
            return found or [], end
        text += "\n" + "".join(sample[end : end + 1])
    return [], at + 1


def _rows(sample: Sequence[str], start: int, delimiter: str) -> Iterator[list[str]]:
    at = start
    for here, _ in _texts(sample, start):
        if here >= at:
            row, at = _row(sample, here, delimiter)
            yield row


def _unnamed(
    sample: Sequence[str], start: int, delimiter: str
) -> tuple[list[str], list[str]] | None:
    """The names of all columns, and of those with URLs, by the row above the first URL."""
    above: list[str] = []
    for row in _rows(sample, start, delimiter):
        places = [place for place, cell in enumerate(row) if is_url(cell)]
        if places:
            shown = [one_line(cell, SHOWN) for cell in above]
            with_urls = [shown[place] for place in places if place < len(shown) and shown[place]]
            return (shown, with_urls) if with_urls and len(shown) > 1 else None
        above = row
    return None


def _key(name: str) -> str:
    """A name without case, blanks and punctuation: `Story-URL` is `story_url`."""
    return "".join(each for each in name.casefold() if each.isalnum())
