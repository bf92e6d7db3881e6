"""`story-indexer settings`: the settings of programs, with values and origins."""

from collections.abc import Iterable, Iterator
from typing import Annotated, NamedTuple

import typer
from rich.table import Table

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.console.terminal import cell, line_of_json, print_table
from indexer.commands.programs.catalog import classes, module, modules
from indexer.errors import ConfigurationError
from indexer.http.urls.parts import without_credentials
from indexer.system.options import environment
from indexer.system.origins import settings as settings_of


class SettingRow(NamedTuple):
    """A setting as some programs have it."""

    variables: tuple[str, ...]
    value: str
    origin: str
    about: str


@with_options
def settings(
    options: JSONOptions,
    program: Annotated[
        str | None, typer.Argument(metavar="PROGRAM", help="parser, feeds.api; default: all.")
    ] = None,
) -> None:
    """List the settings of programs: variable, value, and whether the value is the default or
    comes from the environment.

    All of them can be given to `run` and `follow` with --set, also the credentials of stores that
    docs/archives.md describes. Secrets are not shown.

    Examples:

        story-indexer settings

        story-indexer settings parser

        story-indexer settings --json | jq 'select(.origin != "default")'
    """
    wanted = {program: module(program)} if program else modules()
    table = Table("setting", "value", "origin", "programs", "what it is", box=None)
    for row, names in _grouped(wanted.items()).items():
        if options.json_:
            print(line_of_json({**row._asdict(), "programs": names}))
        cells = (", ".join(row.variables), row.value, row.origin, ", ".join(names), row.about)
        table.add_row(*(cell(text, 5000) for text in cells))
    if not options.json_:
        print_table(table)


def _grouped(programs: Iterable[tuple[str, str]]) -> dict[SettingRow, list[str]]:
    """Return the programs of each setting; programs with another default have another row."""
    found: dict[SettingRow, list[str]] = {}
    for name, where in programs:
        for row in _rows(name, where):
            found.setdefault(row, []).append(name)
    return {row: found[row] for row in sorted(found)}


def _rows(name: str, where: str) -> Iterator[SettingRow]:
    try:
        for each in settings_of(classes(where), environment(), _shown):
            if each.definition.env:
                about = each.definition.about
                yield SettingRow(tuple(each.definition.env), each.value, each.origin, about)
    except ConfigurationError as error:
        raise ConfigurationError(f"{name}: {error}") from error


def _shown(value: str) -> str:
    return without_credentials(value) if "://" in value else value
