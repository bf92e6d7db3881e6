"""A live table on the terminal, for the progress of a long command."""

from typing import Self

from rich.console import Console
from rich.live import Live
from rich.table import Table


class Shown:
    """Shows a table that is replaced again and again, while it is open, on a terminal."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.stop()

    def show(self, table: Table) -> None:
        """Replace the table."""
        self._live.update(table, refresh=True)
