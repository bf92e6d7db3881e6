"""Output on the terminal: untrusted text made safe, tables, JSON; and questions to its user."""

import json
import re
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from indexer.commands.console.narrow import fitted
from indexer.errors import ConfigurationError
from indexer.system.escaping import escaped

WIDE = 10_000
"""Columns for the output of a table to another program: no row is longer."""

_BLANKS = re.compile(r"[ \t\r\n]+")


def cell(text: str, length: int = 500) -> str:
    """Return at most `length` characters of a text, in one line, escaped."""
    return escaped(_BLANKS.sub(" ", text).strip()[:length])


def line_of_json(values: Any, default: Callable[[Any], object] | None = None) -> str:
    """Return a line of JSON. `default` converts values that JSON lacks."""
    return escaped(json.dumps(values, ensure_ascii=False, default=default))


def lines_of_json(values: Any) -> str:
    """Return JSON in several lines, for people."""
    return escaped(json.dumps(values, ensure_ascii=False, indent=2))


def confirm(question: str, *, yes: bool = False) -> None:
    """Ask for confirmation on standard error, unless `yes` is set.

    The answer no ends the program with status 1. Raises ConfigurationError without a terminal.
    """
    if yes:
        return
    if not _has_terminal():
        raise ConfigurationError(
            "no terminal to ask for confirmation: nothing was done; give --yes"
        )
    # Standard output may be a file, or be read by another program.
    typer.confirm(question, abort=True, err=True)


def _has_terminal() -> bool:
    return sys.stdin.isatty()


def say(console: Console, line: str) -> None:
    """Print a line without wrapping it, so that it can be copied."""
    console.print(line, highlight=False, markup=False, soft_wrap=True)


def print_table(table: Table, empty: str = "nothing to show") -> None:
    """Print a table; without a terminal, each row is one line, however long.

    A table without rows is `empty`, on standard error.
    """
    if not table.row_count:
        say_empty(empty)
        return
    # Brackets in titles are not markup.
    console = Console(markup=False, emoji=False, highlight=False)
    if console.is_terminal:
        console.print(fitted(table, console))
        return
    # Cut or wrapped rows would break `grep` and `awk`.
    console.width = WIDE
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().splitlines():
        print(line.rstrip())


def say_empty(line: str) -> None:
    """Print on standard error that there are no results: standard output has only results."""
    print(line, file=sys.stderr)


def this_command() -> str:
    """Return how to call this program from the current directory, quoted for a shell."""
    path = Path(sys.argv[0]).absolute()
    # A program that is not on the PATH is called by its path, if that is below this directory.
    if shutil.which(path.name) or not path.is_relative_to(Path.cwd()):
        return shlex.quote(path.name)
    return shlex.quote(str(path.relative_to(Path.cwd())))
