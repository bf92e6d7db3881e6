"""The terminal: what others wrote, made safe to print on it; and questions to who sits there."""

import json
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from indexer.errors import ConfigurationError
from indexer.text.cleaning import one_line

AsJson = Annotated[bool, typer.Option("--json", help="Lines of JSON, for other programs.")]

WIDE = 10_000
"""Characters: more than any row of a table has."""

_CONTROL = re.compile("[\x7f-\x9f]")


def cell(text: str, length: int = 500) -> str:
    """One line of a text, as it may stand between others."""
    return _CONTROL.sub("", one_line(text, length))


def harmless(text: str) -> str:
    """JSON without the control characters that it allows and terminals obey."""
    escaped = _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return escaped.encode("utf-8", "backslashreplace").decode()


def line_of_json(values: Mapping[str, Any], default: Callable[[Any], object] | None = None) -> str:
    """One line for another program. `default` makes a JSON value of what isn't one."""
    return harmless(json.dumps(values, ensure_ascii=False, default=default))


def confirm(question: str, *, yes: bool = False) -> None:
    """Ask on standard error, unless the answer was given before.

    Ends the program with status 1 on no. Raises ConfigurationError where nobody can be asked.
    """
    if yes:
        return
    if not _is_there():
        raise ConfigurationError("nobody is there to be asked: nothing was done; say --yes")
    typer.confirm(question, abort=True, err=True)


def _is_there() -> bool:
    return sys.stdin.isatty()


def say(console: Console, line: str) -> None:
    """A line that can be copied whole."""
    console.print(line, highlight=False, markup=False, soft_wrap=True)


def print_table(table: Table) -> None:
    """A table on standard output; for another program each row is one line, however long."""
    # What others wrote is no markup.
    console = Console(markup=False, emoji=False, highlight=False)
    if console.is_terminal:
        console.print(table)
        return
    console.width = WIDE
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().splitlines():
        print(line.rstrip())


def this_command() -> str:
    """How this program is called from here."""
    path = Path(sys.argv[0]).absolute()
    if shutil.which(path.name) or not path.is_relative_to(Path.cwd()):
        return path.name
    return str(path.relative_to(Path.cwd()))
