"""The progress of a long command: a line on the terminal, below the command's output."""

import sys
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text


class Working:
    """Shows one line on standard error while it is open, if that is a terminal."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)
        self._text = Text(no_wrap=True, overflow="ellipsis")
        # rich would redirect standard output to this console, even if it is a file.
        self._live = Live(
            Spinner("dots", self._text),
            console=self._console,
            transient=True,
            redirect_stdout=False,
        )

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.stop()

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
