"""Tables on narrow terminals: every number is whole."""

import io
import re
from itertools import product

from rich.console import Console
from rich.table import Table

from indexer.commands.console.narrow import fitted
from tests.each_row import each_row
from tests.sources import sources

NUMBERS = ["12,345,678,901", "2026-11-22", "12:30:00", "99.5%", "1234"]

CELLS = {
    "number": NUMBERS[0],
    "time": "2026-11-22 12:30:00",
    "words": f"http-404 {NUMBERS[4]}, of all {NUMBERS[3]} " + "words " * 20,
    "url": "https://site.example/" + "path/" * 30,
    "short": "ok",
    "blank": "",
}


def shown(table: Table, width: int) -> list[str]:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=True, color_system=None)
    console.print(fitted(table, console))
    return out.getvalue().splitlines()


def table(*kinds: str, justify: str, heading: str) -> Table:
    made = Table(box=None, show_header=bool(heading))
    for kind in kinds:
        right = kind == "number" and justify == "right"
        made.add_column(heading and f"{heading} {kind}", justify="right" if right else "left")
    made.add_row(*(CELLS[kind] for kind in kinds))
    return made


SHAPES = [each for size in (1, 2, 3, 5) for each in product(CELLS, repeat=size)]
"""Every column alone, every pair of columns, and more."""


@each_row(("width", "shapes"), [(40, SHAPES[:42]), (40, SHAPES[42::997]), (80, SHAPES[::1999])])
def test_numbers_are_whole_in_every_column_and_no_line_is_too_long(
    width: int, shapes: list[tuple[str, ...]]
) -> None:
    for kinds in shapes:
        for justify, heading in (("right", "the"), ("left", "the"), ("left", "")):
            lines = shown(table(*kinds, justify=justify, heading=heading), width)
            assert max(map(len, lines), default=0) <= width, kinds
            words = {word.strip(",") for line in lines for word in re.split(r"\s+", line)}
            wanted = {n for kind in kinds for n in NUMBERS if n in CELLS[kind]}
            assert wanted <= words, (kinds, justify, heading)


def test_a_wide_terminal_has_the_table_as_it_was_made() -> None:
    made = table("number", "time", "short", justify="right", heading="the")
    assert fitted(made, Console(width=80)) is made


def test_a_row_that_does_not_fit_becomes_lines_with_its_headings() -> None:
    made = Table("queue", "ready", "in hand", "consumers", "bytes", box=None)
    made.add_row("importer-in", "12,345,678", "", "2", "1,234,567,890")
    assert shown(made, 40) == [
        "queue: importer-in",
        "ready: 12,345,678",
        "consumers: 2",
        "bytes: 1,234,567,890",
        "",
    ]


def test_every_table_of_a_command_is_printed_by_the_function_that_fits_it() -> None:
    commands = [each for each in sources() if each.name.startswith("indexer.commands.")]
    tables = {each.name for each in commands if re.search(r"\bTable\(", each.text)}
    fitting = {each.name for each in commands if re.search(r"\b(fitted|print_table)\(", each.text)}
    # `extract` prints the table of `extracting`; the flavors have no numbers.
    assert tables - fitting == {"indexer.commands.extracting", "indexer.commands.pipeline"}
