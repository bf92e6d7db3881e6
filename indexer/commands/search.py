"""`story-indexer search`: find stories in either index, for a person or for another program."""

import csv
import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from pydantic import SecretStr
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from indexer.errors import QueryError
from indexer.search import Hit, SearchIndex, open_index
from indexer.search.export import COLUMNS, csv_row, json_line
from indexer.search.language.dates import period
from indexer.search.language.plan import Query
from indexer.system.options import Options, option
from indexer.text.cleaning import one_line

PLAIN_WIDTH = 120
"""Columns of a table that is not shown on a terminal."""

CARET_BEFORE, CARET_AFTER = 60, 20
"""How much of a bad query is shown around what is wrong with it."""

JOINERS = "\u200c\u200d"

_LANGUAGE = re.compile("[A-Za-z]{2}")


class SearchOptions(Options):
    """Where to search."""

    data: Path = option(Path("data"), "directory of all that is kept", "DATAROOT")
    index: SecretStr = option(SecretStr(""), "the index's URL", "INDEX_URL")

    @property
    def url(self) -> str:
        """The index's URL, with its credentials."""
        return self.index.get_secret_value() or f"sqlite:///{self.data / 'index.sqlite3'}"


class HitFormat(StrEnum):
    """How hits are written."""

    TABLE = "table"
    JSONL = "jsonl"
    CSV = "csv"


def _first_day(text: str) -> date:
    return _covered(text)[0]


def _last_day(text: str) -> date:
    return _covered(text)[1]


def _covered(text: str) -> tuple[date, date]:
    found = period(text)
    if not found:
        raise typer.BadParameter("write a date as 2024-02-29, 2024-02 or 2024")
    last = found.end.date() - timedelta(days=1) if found.end else date.max
    return found.start.date(), last


def _code(text: str) -> str:
    if not _LANGUAGE.fullmatch(text):
        raise typer.BadParameter("write a language as its two-letter code (ISO 639-1): en, es, zh")
    return text


def search(  # noqa: PLR0913, PLR0917 - the options of a command
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[QUERY]...", help="What to look for. Without: the newest stories."),
    ] = None,
    start: Annotated[
        date | None,
        typer.Option(
            "--from", parser=_first_day, metavar="DATE", help="Published on that day or later."
        ),
    ] = None,
    end: Annotated[
        date | None,
        typer.Option(
            "--to", parser=_last_day, metavar="DATE", help="Published on that day or before."
        ),
    ] = None,
    language: Annotated[
        list[str] | None,
        typer.Option(
            "--language",
            "-l",
            parser=_code,
            metavar="CODE",
            help="Two letters, like en. May be repeated.",
        ),
    ] = None,
    domain: Annotated[
        list[str] | None,
        typer.Option("--domain", "-d", metavar="DOMAIN", help="Like bbc.co.uk. May be repeated."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many to show.")] = 20,
    everything: Annotated[bool, typer.Option("--all", help="Every story that matches.")] = False,
    format: Annotated[
        HitFormat,
        typer.Option(
            "--format",
            help="table to read; jsonl with all fields and the full text; csv for a spreadsheet: "
            "there a cell that starts with = + - @ or a tab has a ' before it, so that it can't "
            "be run as a formula.",
        ),
    ] = HitFormat.TABLE,
    text: Annotated[bool, typer.Option("--text", help="The full text in the csv too.")] = False,
    index: Annotated[
        str,
        typer.Option(
            "--index",
            metavar="URL",
            help="sqlite:///FILE or http://HOST:9200/ALIAS [env INDEX_URL]; "
            "else index.sqlite3 in the data directory",
        ),
    ] = "",
    data: Annotated[
        Path | None,
        typer.Option("--data", help="Directory of all that is kept.", show_default="data"),
    ] = None,
) -> None:
    """Find stories by the words of their titles and texts, and by their fields.

    All words must be there, in any order. AND, OR, NOT (or -) and parentheses combine them,
    "quotes" make a phrase, a * ends a word of which only the beginning is known. Fields: title:
    text: domain: language: url: date: indexed:. docs/search.md has the rest. Put single quotes
    around a query, so that the shell leaves it alone, and -- before one that starts with a -.

    Examples:

        story-indexer search                                     the newest stories

        story-indexer search 'flood* AND (river OR "sea level") -insurance'

        story-indexer search 'title:election' --from 2024-01 --to 2024-03 --language es

        story-indexer search 'domain:*.gov date:[2024-01-01 TO *]' --limit 100

        story-indexer search 'climate' --all --format csv > climate.csv

        story-indexer search 'url:https://site.example/news/*' --all --format jsonl | wc -l
    """
    if start and end and start > end:
        raise typer.BadParameter(f"--from {start} is after --to {end}: there is no such day")
    text_of_query = " ".join(words or []).strip() or "*"
    query = Query(
        text_of_query, start, end, language or (), domain or (), None if everything else limit
    )
    given: dict[str, Any] = {"index": index, "data": data}
    options = SearchOptions(**{name: value for name, value in given.items() if value})
    found = open_index(options.url)
    try:
        with _quiet_pipe():
            _show(found, query, format, text=text)
    except QueryError as error:
        _complain(text_of_query, error)
        raise typer.Exit(2) from None
    finally:
        found.close()


def _show(index: SearchIndex, query: Query, format: HitFormat, *, text: bool) -> None:
    hits = _Counted(index.search(query))
    write: dict[HitFormat, Callable[[Iterable[Hit]], None]] = {
        HitFormat.TABLE: _write_table,
        HitFormat.JSONL: lambda some: _write_lines(map(json_line, some)),
        HitFormat.CSV: lambda some: _write_csv(
            some, (*COLUMNS, "text_content") if text else COLUMNS
        ),
    }
    write[format](hits)
    # The rows are for a program, the count is for a person.
    file = sys.stdout if format == HitFormat.TABLE else sys.stderr
    print(_count_line(index, query, hits.number), file=file)


class _Counted:
    """Passes hits on, and counts them."""

    def __init__(self, hits: Iterator[Hit]) -> None:
        self._hits = hits
        self.number = 0

    def __iter__(self) -> Iterator[Hit]:
        for hit in self._hits:
            self.number += 1
            yield hit


def _count_line(index: SearchIndex, query: Query, shown: int) -> str:
    """12 stories, 10 shown: --limit 50 or --all for more"""
    if not shown:
        return "no story matches"
    total = index.count(query) if shown == query.limit else shown
    stories = "1 story" if total == 1 else f"{total} stories"
    if total <= shown:
        return stories
    return f"{stories}, {shown} shown: --limit {shown * 5} or --all for more"


def _write_table(hits: Iterable[Hit]) -> None:
    """A block for each hit, as they come: a table of all would have to wait for the last."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that has not all characters shows a ? for the others.
        sys.stdout.reconfigure(errors="replace")
    console = _Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = PLAIN_WIDTH
    for hit in hits:
        row = Table.grid(padding=(0, 2, 0, 0), expand=True)
        row.add_column(width=10)
        row.add_column(ratio=1, overflow="fold")
        row.add_row(*_cells(hit))
        console.print(row)
        console.print()


def _cells(hit: Hit) -> tuple[Text, Text]:
    found = hit.document
    origin = [printable(part) for part in (found.canonical_domain, found.language) if part]
    lines = [
        Text(printable(found.article_title or "(no title)"), "bold"),
        Text(" · ".join(origin), "green"),
        Text(printable(found.url), "cyan"),
        Text(printable(hit.snippet)),
    ]
    date = Text(printable(found.publication_date or "(no date)", 10))
    return date, Text("\n").join(line for line in lines if line)


def printable(text: str, length: int = 500) -> str:
    """Text from outside on one line, without anything that a terminal would obey."""
    line = one_line(text, length)
    return "".join(char for char in line if char.isprintable() or char in JOINERS)


def _write_lines(lines: Iterable[str]) -> None:
    out = _utf8(sys.stdout)
    for line in lines:
        out.write(line)


def _write_csv(hits: Iterable[Hit], columns: tuple[str, ...]) -> None:
    """RFC 4180: commas, double quotes, a header, CR LF."""
    writer = csv.writer(_utf8(sys.stdout))
    writer.writerows(chain([list(columns)], (csv_row(hit, columns) for hit in hits)))


def _utf8(out: TextIO) -> TextIO:
    """Standard output, as these formats have it on every machine."""
    if isinstance(out, io.TextIOWrapper):
        out.reconfigure(encoding="utf-8", newline="")
    return out


class _Console(Console):
    """A console that leaves it to us what happens when nobody reads any longer."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


@contextmanager
def _quiet_pipe() -> Iterator[None]:
    """End in silence when nobody reads any longer, as in `| head`."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still in the buffer is written when Python ends: to nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None


def _complain(query: str, error: QueryError) -> None:
    """Say what is wrong with a query, with a caret under the place."""
    print(f"can't read this query: {error.why}", file=sys.stderr)
    if error.position is not None:
        start = max(0, error.position - CARET_BEFORE)
        before = _legible(query[start : error.position])
        after = _legible(query[error.position : error.position + CARET_AFTER])
        print(f"  {before}{after}\n  {' ' * cell_len(before)}^", file=sys.stderr)


def _legible(text: str) -> str:
    """Text with a space for what can't be shown, so that a caret stays under its place."""
    return "".join(char if char.isprintable() else " " for char in text)
