"""The table of the stages: on the terminal, as JSON, and in docs/performance.md."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.measuring.rounds import Row
from benchmarks.measuring.stage import Unit, Unmeasured

HEADINGS = ("stage", "aim", "ours", "", "alternatives")
_BETWEEN = "(?<=<!-- {0} -->\n).*?(?=<!-- end of {0} -->)"

Measured = Sequence[Row | Unmeasured]


def cells(row: Row | Unmeasured) -> tuple[str, str, str, str, str]:
    """The texts of a row, in the order of HEADINGS."""
    if isinstance(row, Unmeasured):
        return row.name, "", "", "not measured", row.why
    unit = row.stage.unit
    sign = "≤" if unit is Unit.MILLISECONDS else "≥"
    others = [
        f"{name} {_number(figure)} ({_ratio(row, figure)}{_note(row, name)})"
        for name, figure in list(row.figures.items())[1:]
    ]
    return (
        row.stage.name,
        f"{sign} {_number(row.stage.aim)} {unit}",
        _number(row.ours),
        "reached" if row.reached else "missed",
        "; ".join(others),
    )


def _ratio(row: Row, figure: float) -> str:
    """How many times as fast we are."""
    by_cost = row.stage.unit is Unit.MILLISECONDS
    ratio = figure / row.ours if by_cost else row.ours / figure
    return f"× {ratio:.2g}" if ratio < 10 else f"× {ratio:.0f}"


def _note(row: Row, name: str) -> str:
    return f"; a floor: {row.stage.floors[name]}" if name in row.stage.floors else ""


def _number(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}"


def show(rows: Measured) -> None:
    """Print the table."""
    table = Table(box=None, title="× n: as fast as n times the alternative, in the same run")
    for heading in HEADINGS:
        table.add_column(heading)
    for row in rows:
        table.add_row(*cells(row))
    Console().print(table)


def as_json(rows: Measured) -> list[dict[str, Any]]:
    """The rows as values for a program."""
    return [
        {"stage": row.name, "why": row.why}
        if isinstance(row, Unmeasured)
        else {
            "stage": row.stage.name,
            "unit": row.stage.unit,
            "aim": row.stage.aim,
            "reached": row.reached,
            "figures": row.figures,
        }
        for row in rows
    ]


def write(rows: Measured, page: Path) -> None:
    """Replace the table of the stages in a page."""
    replace_table(page, "stages", HEADINGS, [cells(row) for row in rows])


def replace_table(
    page: Path, name: str, headings: Sequence[str], rows: Sequence[Sequence[str]]
) -> None:
    """Replace the table between the comments `NAME` and `end of NAME` of a page."""
    lines = [_line(headings), _line(["---"] * len(headings)), *map(_line, rows)]
    table = "\n" + "".join(lines) + "\n"
    text = page.read_text(encoding="utf-8")
    found = re.compile(_BETWEEN.format(name), re.DOTALL)
    page.write_text(found.sub(lambda _: table, text), encoding="utf-8")


def _line(texts: Sequence[str]) -> str:
    return f"| {' | '.join(texts)} |\n"
