"""A log file that is put aside each hour, and kept for two weeks (stories.md 9.3).

`messages.log` is the hour that runs; `messages.log.2026-01-15_12` is one that is over, in UTC.
"""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

NAME = "messages.log"

KEPT = 14 * 24
"""Hours."""

_PUT_ASIDE = re.compile(re.escape(NAME) + r"\.\d{4}-\d\d-\d\d_\d\d(\.\d+)?")

Hour = str
"""`YYYY-MM-DD_HH`: hours follow each other as their texts do."""


def hour(seconds: float) -> Hour:
    """The hour of a time since the epoch."""
    return time.strftime("%Y-%m-%d_%H", time.gmtime(seconds))


class HourlyFile:
    """The file of a folder that is written to. `clock` gives seconds since the epoch.

    Every method raises OSError: a disk that is full, a folder that may not be written.
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
        """Add a line, at once and whole."""
        now = hour(self._clock())
        # A clock that was set back does not put the same hour aside twice.
        if now > self._hour:
            self._put_aside()
            self._hour = now
        if self._file is None:
            self._file = self._path.open("ab", buffering=0)
        data = f"{line}\n".encode("utf-8", "replace")
        # A disk that is nearly full takes a part, and says so when it is asked to take the rest.
        while data:
            data = data[self._file.write(data) :]

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _last_hour(self) -> Hour:
        """The hour of what is in the file: one of before this program was started, perhaps."""
        if self._path.exists() and (found := self._path.stat()).st_size:
            return hour(found.st_mtime)
        return hour(self._clock())

    def _put_aside(self) -> None:
        self.close()
        if self._path.exists():
            self._path.rename(self._free(f"{NAME}.{self._hour}"))
        old = sorted(path for path in self._folder.iterdir() if _PUT_ASIDE.fullmatch(path.name))
        for path in old[: -self._kept]:
            path.unlink(missing_ok=True)

    def _free(self, name: str) -> Path:
        """A path of which nothing is lost: what is there was put aside by somebody else."""
        number, path = 0, self._folder / name
        while path.exists():
            number += 1
            path = self._folder / f"{name}.{number}"
        return path
