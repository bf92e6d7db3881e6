"""The progress of a long command: a table or a line that is replaced again and again."""

import sys
from typing import Any, Self

from rich.console import Console, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text


class Shown:
    """Shows something while it is open, if the console is a terminal."""

    def __init__(self, console: Console, first: RenderableType = "", **settings: Any) -> None:
        self._console = console
        self._live = Live(first, console=console, transient=True, **settings)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.stop()


class ShownTable(Shown):
    """A live table."""

    def __init__(self, console: Console) -> None:
        super().__init__(console, auto_refresh=False)

    def show(self, table: RenderableType) -> None:
        """Replace the table."""
        self._live.update(table, refresh=True)


class Working(Shown):
    """A line on standard error, below the command's output."""

    def __init__(self, console: Console | None = None) -> None:
        self._text = Text(no_wrap=True, overflow="ellipsis")
        # rich would redirect standard output to this console, even if it is a file.
        super().__init__(
            console or Console(stderr=True), Spinner("dots", self._text), redirect_stdout=False
        )

    def at(self, text: str) -> None:
        """Replace the text of the line."""
        self._text.plain = text

    def print(self, line: str) -> None:
        """Print a line of the command's own output."""
        if not (self._console.is_terminal and sys.stdout.isatty()):
            print(line)
            return
        # Printed over the line, the output would be mixed with it.
        self._live.stop()
        print(line, flush=True)
        self._live.start()
