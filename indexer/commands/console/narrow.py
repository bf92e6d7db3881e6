"""Tables on narrow terminals: a number is never cut, and never wrapped in its middle."""

import re
from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

LONGEST_WORD = 16
"""Words of so many characters are not wrapped; longer ones are URLs and paths."""

_NUMBER = re.compile(r"[-+(]*\d[\d.,:/T+-]*[%a-zA-Z]{0,3}[),;]*")
"""A word that is a count, a date, a time or a size."""


def fitted(table: Table, console: Console) -> RenderableType:
    """Return the table with widths in which its numbers are whole.

    If a terminal is too narrow for all columns, each row becomes lines: a heading and its value.
    """
    room = console.width - sum(table.padding[1] + table.padding[3] for _ in table.columns)
    widest = [_widest(column) for column in table.columns]
    if sum(widest) <= room:
        return table
    least = [_least(column, width) for column, width in zip(table.columns, widest, strict=True)]
    spare = room - sum(least)
    if spare < 0:
        return _as_lines(table)
    wanted = [most - few for most, few in zip(widest, least, strict=True)]
    for column, few, more in zip(table.columns, least, wanted, strict=True):
        column.width = few + spare * more // sum(wanted)
        column.overflow = "fold"
    return table


def _widest(column: Column) -> int:
    return max([column.min_width or 0, *map(cell_len, _texts(column))])


def _least(column: Column, widest: int) -> int:
    """Return the width in which the numbers and the usual words of a column are whole."""
    if column.no_wrap or column.justify == "right":
        return widest
    words = [word for text in _texts(column) for word in text.split()]
    number = max((cell_len(word) for word in words if _NUMBER.fullmatch(word)), default=0)
    return max(number, min(LONGEST_WORD, max(map(cell_len, words), default=0)))


def _texts(column: Column) -> list[str]:
    return [str(column.header), *map(str, column.cells)]


def _as_lines(table: Table) -> Group:
    """Return each row as lines of a heading and a value; cells that are blank are left out."""
    headings = [str(column.header) for column in table.columns]
    rows = zip(*(column.cells for column in table.columns), strict=True)
    return Group(*(_lines(headings, [str(each) for each in row]) for row in rows))


def _lines(headings: Sequence[str], cells: Sequence[str]) -> Text:
    named = [
        f"{heading}: {text}" if heading else text
        for heading, text in zip(headings, cells, strict=True)
        if text
    ]
    # A table without headings has a name in its first column.
    return Text("\n".join(named) + "\n" if any(headings) else "  ".join(named), overflow="fold")
