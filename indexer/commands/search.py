"""`story-indexer search`: find stories or software, for a person or for another program."""

import csv
import io
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import date, timedelta
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Annotated, Literal, TextIO

import typer
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.console.terminal import cell
from indexer.errors import QueryError
from indexer.programs.settings import data_directory, index_option, index_or_default
from indexer.search import Hit, SearchIndex, open_index
from indexer.search.export import columns, csv_row, json_line
from indexer.search.language.dates import period
from indexer.search.language.query import Query
from indexer.software.searching.options import (
    software_index_option,
    software_index_or_default,
)
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.stories.indexing.filters import filters
from indexer.system.options import option

PLAIN_WIDTH = 120
"""Columns of the output, if it is not a terminal."""

CARET_BEFORE, CARET_AFTER = 60, 20
"""Characters of a bad query that are shown before and after the error."""

_LANGUAGE = re.compile("[A-Za-z]{2}")


class HitFormat(StrEnum):
    """The output formats of hits."""

    TABLE = "table"
    JSONL = "jsonl"
    CSV = "csv"


def _covered(text: str) -> tuple[date, date]:
    """Return the first and the last day of a date, a month or a year."""
    found = period(text)
    if not found:
        raise ValueError("write a date as 2024-02-29, 2024-02 or 2024")
    last = found.end.date() - timedelta(days=1) if found.end else date.max
    return found.start.date(), last


def _code(text: str) -> str:
    if not _LANGUAGE.fullmatch(text):
        raise ValueError("write a language as its two-letter code (ISO 639-1): en, es, zh")
    return text


class SearchOptions(JSONOptions):
    """Options of `search`."""

    from_: Annotated[date | None, BeforeValidator(lambda text: text and _covered(text)[0])] = (
        option(None, "Published on that day or later.", metavar="DATE")
    )
    to: Annotated[date | None, BeforeValidator(lambda text: text and _covered(text)[1])] = option(
        None, "Published on that day or before.", metavar="DATE"
    )
    language: list[Annotated[str, AfterValidator(_code)]] = option(
        [], "Two letters, like en; repeatable.", short="l", metavar="CODE"
    )
    domain: list[str] = option([], "Like bbc.co.uk; repeatable.", short="d", metavar="DOMAIN")
    limit: Annotated[int, Field(ge=1)] = option(20, "Stories to show.", short="n")
    all_: bool = option(False, "Show every story that matches.")
    format: HitFormat = option(
        HitFormat.TABLE,
        "table for reading; jsonl with all fields and the full text; csv for a spreadsheet: cells "
        "that start with = + - @ or a tab get a ' before it, so that they do not run as formulas.",
    )
    text: bool = option(False, "Also write the full text into the csv.")
    software: bool = option(False, "Find software by its metadata, in the index of software.")
    license: list[str] = option([], "With --software: an SPDX identifier; repeatable.")
    programming_language: list[str] = option(
        [], "With --software: a programming language; repeatable.", metavar="NAME"
    )
    mapping: list[str] = option(
        [], "With --software: the format of the metadata, like npm; repeatable.", metavar="NAME"
    )
    author: list[str] = option([], "With --software: a full name; repeatable.", metavar="NAME")
    facet: list[Literal["license", "language", "mapping", "author"]] = option(
        [], "With --software: count the most common values among all hits; repeatable."
    )
    after: str = option("", "With --software: the key of the page before.", metavar="KEY")
    software_index: SecretStr = software_index_option()
    index: SecretStr = index_option(
        "sqlite:///FILE or http://HOST:9200/ALIAS; default: index.sqlite3 in the data directory"
    )
    data: Path = data_directory()

    @property
    def url(self) -> str:
        """The index's URL, with its credentials."""
        return index_or_default(self.index, self.data)


def _with_fields(command: Callable[..., None]) -> Callable[..., None]:
    """Put the names of the fields into the help of a command."""
    fields = (field for field in STORY_FIELDS.fields if field.searchable)
    names = " ".join(f"{field.short}:" for field in fields)
    command.__doc__ = str(command.__doc__).replace("FIELDS", names)
    return command


@with_options
@_with_fields
def search(
    options: SearchOptions,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="QUERY", help="The query. Default: the newest stories."),
    ] = None,
) -> None:
    """Find stories by the words of their titles and texts, and by their fields.

    A story must contain all words, in any order. AND, OR, NOT (or -) and parentheses combine words,
    "quotes" make a phrase, flood* finds all words that start so. Fields: FIELDS.
    docs/search.md describes the language. Put single quotes around a query, to protect it from the
    shell, and -- before a query that starts with a -.

    Examples:

        story-indexer search                                     the newest stories

        story-indexer search 'flood* AND (river OR "sea level") -insurance'

        story-indexer search 'title:election' --from 2024-01 --to 2024-03 --language es

        story-indexer search 'domain:*.gov date:[2024-01-01 TO *]' --limit 100

        story-indexer search 'climate' --all --format csv > climate.csv

        story-indexer search 'url:https://site.example/news/*' --all --format jsonl | wc -l

        story-indexer search --software 'fourier transform' --license MIT --facet language
    """
    if _is_about_software(options):
        _find_software(options, " ".join(words or []).strip() or "*")
        return
    start, end = options.from_, options.to
    if start and end and start > end:
        raise typer.BadParameter(f"--from {start} is after --to {end}: no day is between them")
    query = " ".join(words or []).strip() or "*"
    limit = None if options.all_ else options.limit
    conditions = filters(start, end, options.language, options.domain)
    wanted = Query(query, conditions, limit=limit)
    if options.json_ and options.format == HitFormat.CSV:
        raise typer.BadParameter("--json and --format csv: give one of them")
    # As all other commands have it.
    format = HitFormat.JSONL if options.json_ else options.format
    with closing(open_index(options.url, STORY_FIELDS)) as index:
        if "url:" in query and "*" in query:
            for line in index.limits():
                print(f"searches are limited: {line}", file=sys.stderr)
        try:
            _show(index, wanted, format, text=options.text)
        except QueryError as error:
            _print_query_error(query, error)
            raise typer.Exit(2) from None


_OF_SOFTWARE = ("license", "programming_language", "mapping", "author", "facet", "after")
_OF_STORIES = ("from_", "to", "language", "domain", "all_", "text")


def _is_about_software(options: SearchOptions) -> bool:
    """Whether software is searched. Raises BadParameter for an option of the other search."""
    wrong = _OF_STORIES if options.software else _OF_SOFTWARE
    for name in wrong:
        if getattr(options, name):
            other = "is for stories" if options.software else "needs --software"
            raise typer.BadParameter(f"--{name.strip('_').replace('_', '-')} {other}")
    if options.software and options.format != HitFormat.TABLE:
        raise typer.BadParameter("--format is for stories: write --json")
    return options.software


def _find_software(options: SearchOptions, query: str) -> None:
    from indexer.commands.software.finding import find_software  # noqa: PLC0415 - not for stories

    filters = {
        "license": options.license,
        "language": options.programming_language,
        "mapping": options.mapping,
        "author": options.author,
    }
    url = software_index_or_default(options.software_index, options.data)
    page = (options.limit, options.after)
    facets = list(dict.fromkeys(options.facet))
    try:
        find_software(url, query, filters, facets, page, as_json=options.json_)
    except QueryError as error:
        _print_query_error(query, error)
        raise typer.Exit(2) from None


def _show(index: SearchIndex, query: Query, format: HitFormat, *, text: bool) -> None:
    shown = 0

    def counted() -> Iterator[Hit]:
        nonlocal shown
        for hit in index.search(query):
            shown += 1
            yield hit

    match format:
        case HitFormat.TABLE:
            _write_table(counted())
        case HitFormat.JSONL:
            _utf8(sys.stdout).writelines(json_line(hit, STORY_FIELDS) for hit in counted())
        case HitFormat.CSV:
            _write_csv(counted(), [*columns(STORY_FIELDS), *(["text_content"] if text else [])])
    # In other formats, standard output must have nothing but hits.
    file = sys.stdout if format == HitFormat.TABLE else sys.stderr
    print(_count_line(index, query, shown), file=file)


def _count_line(index: SearchIndex, query: Query, shown: int) -> str:
    """Return `12 stories, 10 shown: --limit 50 or --all for more`."""
    if not shown:
        return "no story matches"
    # Counting all matches is another query, needed only if the limit cut them.
    total = index.count(query) if shown == query.limit else shown
    stories = "1 story" if total == 1 else f"{total} stories"
    if total <= shown:
        return stories
    return f"{stories}, {shown} shown: --limit {shown * 5} or --all for more"


def _write_table(hits: Iterable[Hit]) -> None:
    """Print each hit when it comes: one table of all would have to wait for the last."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A ? for characters that the terminal's encoding lacks, instead of an error.
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
    text = hit.document.text
    origin = [cell(part) for part in (text("canonical_domain"), text("language")) if part]
    lines = [
        Text(cell(text("article_title") or "(no title)"), "bold"),
        Text(" · ".join(origin), "green"),
        Text(cell(text("url")), "cyan"),
        Text(cell(hit.snippet)),
    ]
    # Some pages declare a time, too.
    date = Text(cell(text("publication_date") or "(no date)", 10))
    return date, Text("\n").join(line for line in lines if line)


def _write_csv(hits: Iterable[Hit], columns: list[str]) -> None:
    """Write CSV as RFC 4180 defines it: commas, double quotes, a header, CR LF."""
    writer = csv.writer(_utf8(sys.stdout))
    writer.writerows(chain([columns], (csv_row(hit, columns) for hit in hits)))


def _utf8(out: TextIO) -> TextIO:
    """Return standard output in UTF-8, whatever the locale is."""
    if isinstance(out, io.TextIOWrapper):
        out.reconfigure(encoding="utf-8", newline="")
    return out


class _Console(Console):
    """A console that raises BrokenPipeError; rich would end the process with status 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _print_query_error(query: str, error: QueryError) -> None:
    """Print why a query can't be read, with a caret under the place."""
    print(f"can't read this query: {error.why}", file=sys.stderr)
    if error.position is not None:
        start = max(0, error.position - CARET_BEFORE)
        before = _legible(query[start : error.position])
        after = _legible(query[error.position : error.position + CARET_AFTER])
        print(f"  {before}{after}\n  {' ' * cell_len(before)}^", file=sys.stderr)


def _legible(text: str) -> str:
    """Replace control characters by spaces, so that the caret stays under its place."""
    return "".join(char if char.isprintable() else " " for char in text)
