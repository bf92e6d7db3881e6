"""Output on the terminal: untrusted text made safe, tables, JSON; and questions to its user."""

import json
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from indexer.errors import ConfigurationError
from indexer.text.cleaning import one_line

WIDE = 10_000
"""Columns for the output of a table to another program: no row is longer."""

_CONTROL = re.compile("[\x7f-\x9f]")


def cell(text: str, length: int = 500) -> str:
    """Return a text as one line, without control characters."""
    return _CONTROL.sub("", one_line(text, length))


def harmless(text: str) -> str:
    """Escape the control characters that JSON allows, and that terminals would obey."""
    escaped = _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return escaped.encode("utf-8", "backslashreplace").decode()


def line_of_json(values: Mapping[str, Any], default: Callable[[Any], object] | None = None) -> str:
    """Return a line of JSON. `default` converts values that JSON lacks."""
    return harmless(json.dumps(values, ensure_ascii=False, default=default))


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


def print_table(table: Table) -> None:
    """Print a table; without a terminal, each row is one line, however long."""
    # Brackets in titles are not markup.
    console = Console(markup=False, emoji=False, highlight=False)
    if console.is_terminal:
        console.print(table)
        return
    # Cut or wrapped rows would break `grep` and `awk`.
    console.width = WIDE
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().splitlines():
        print(line.rstrip())


def this_command() -> str:
    """Return how to call this program from the current directory."""
    path = Path(sys.argv[0]).absolute()
    # A program that is not on the PATH is called by its path, if that is below this directory.
    if shutil.which(path.name) or not path.is_relative_to(Path.cwd()):
        return path.name
    return str(path.relative_to(Path.cwd()))
