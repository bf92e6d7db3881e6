"""The progress of an ingest: a line on a terminal that is replaced, else a line now and then."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.filesize import decimal

from indexer.commands.console.terminal import cell, say
from indexer.commands.console.working import Working
from indexer.filesets.strategies.strategy import FileProgress

LINE_SECONDS = 5.0


class IngestProgress:
    """Shows which dataset and file are transferred, how fast, and the time left."""

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console
        self._clock = clock
        self._working = Working(console)
        self._dataset = ""
        self._key = (0, "")
        self._next = clock() + LINE_SECONDS

    def __enter__(self) -> Self:
        self._working.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._working.__exit__(kind, error, trace)

    def begin(self, dataset: str) -> None:
        """Tell that the dataset is looked for."""
        self._dataset = cell(dataset, 200)
        self._key = (0, "")
        self._show(f"{self._dataset}: looking")

    def at(self, progress: FileProgress) -> None:
        """Tell where the transfer stands. Called often, and cheap."""
        now = self._clock()
        if self._key != (progress.number, progress.path):
            self._key = (progress.number, progress.path)
            self._started, self._from, self._refresh = now, progress.done, now
        if now >= self._refresh:
            self._refresh = now + 0.2
            self._show(f"{line(progress, self._from, now - self._started)}: {self._dataset}")

    def print(self, text: str) -> None:
        """Print a line of output."""
        self._working.print(text)

    def _show(self, text: str) -> None:
        if self._console.is_terminal:
            # A line that wraps would jump with each refresh.
            self._working.at(text[: self._console.width - 3])
        elif self._clock() >= self._next:
            self._next = self._clock() + LINE_SECONDS
            say(self._console, text)


def line(progress: FileProgress, start: int, seconds: float) -> str:
    """One line: the file, its bytes, the rate since `start` bytes, the time left."""
    size = progress.size
    parts = [f"file {progress.number} of {progress.files}", cell(progress.path, 60)]
    parts.append(decimal(progress.done) + (f" of {decimal(size)}" if size else ""))
    rate = (progress.done - start) / seconds if seconds > 0 else 0.0
    if rate:
        parts.append(f"{decimal(int(rate))}/s")
    if rate and size:
        left = int(max(0, size - progress.done) / rate)
        parts.append(f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02} left")
    return ", ".join(parts)
