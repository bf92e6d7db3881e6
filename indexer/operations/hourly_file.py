"""A log file that is rotated each hour and kept for two weeks (stories.md 9.3).

`messages.log` is the current hour; `messages.log.2026-01-15_12` is a past hour, in UTC.
"""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

NAME = "messages.log"

KEPT = 14 * 24
"""Hours."""

_ROTATED = re.compile(re.escape(NAME) + r"\.\d{4}-\d\d-\d\d_\d\d(\.\d+)?")

Hour = str
"""`YYYY-MM-DD_HH`: the order of texts is that of hours."""


def hour(seconds: float) -> Hour:
    """Return the hour of a time in seconds since the epoch."""
    return time.strftime("%Y-%m-%d_%H", time.gmtime(seconds))


class HourlyFile:
    """The log of a folder. `clock` returns seconds since the epoch.

    Every method raises OSError: a full disk, a folder without permission to write.
    """

    def __init__(
        self, folder: Path, clock: Callable[[], float] = time.time, kept: int = KEPT
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._path = folder / NAME
        self._clock = clock
        self._kept = kept
        self._file: BinaryIO | None = None
        self._hour = self._last_hour()

    def write(self, line: str) -> None:
        """Append a line and write it at once."""
        now = hour(self._clock())
        # `>`, not `!=`: a clock that was set back must not rotate the same hour twice.
        if now > self._hour:
            self._rotate()
            self._hour = now
        if self._file is None:
            self._file = self._path.open("ab", buffering=0)
        data = f"{line}\n".encode("utf-8", "replace")
        # A nearly full disk writes a part of the line; the error comes with the next write.
        while data:
            data = data[self._file.write(data) :]

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _last_hour(self) -> Hour:
        """Return the hour of the last line, which an earlier process may have written."""
        if self._path.exists() and (found := self._path.stat()).st_size:
            return hour(found.st_mtime)
        return hour(self._clock())

    def _rotate(self) -> None:
        self.close()
        if self._path.exists():
            self._path.rename(self._free(f"{NAME}.{self._hour}"))
        old = sorted(path for path in self._folder.iterdir() if _ROTATED.fullmatch(path.name))
        for path in old[: -self._kept]:
            path.unlink(missing_ok=True)

    def _free(self, name: str) -> Path:
        """Return an unused path: another process may have rotated the same hour."""
        number, path = 0, self._folder / name
        while path.exists():
            number += 1
            path = self._folder / f"{name}.{number}"
        return path
