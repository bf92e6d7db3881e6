"""Journals: files of JSON lines that are appended durably, to go on where a run has ended.

A line is there when `append` returns, after a power cut too. What a process was writing when it
died is half a line at the end of the file, or NULs: it doesn't count, and is cut off.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO

from indexer.errors import InputError, StorageError
from indexer.files.locks import try_lock
from indexer.files.whole_files import sync_directory
from indexer.text.unpacking import input_errors

MAX_LINE_BYTES = 1 << 20

Clock = Callable[[], datetime]


def _now() -> datetime:
    return datetime.now(UTC)


class Journal:
    """A journal that this process, and no other, appends to."""

    def __init__(self, path: Path, file: FileIO, clock: Clock) -> None:
        self._path = path
        self._file = file
        self._clock = clock
        self._end = file.tell()
        self._is_whole = True

    def append(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Write entries down, durably, each with the time as `when`: all of them, or none.

        Raises StorageError, also for an entry that is too long to be read again.
        """
        when = f"{self._clock().astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
        lines = [(json.dumps({**each, "when": when}) + "\n").encode() for each in entries]
        if any(len(line) >= MAX_LINE_BYTES for line in lines):
            raise StorageError(
                f"can't write {self._path}: an entry has {MAX_LINE_BYTES} bytes or more"
            )
        try:
            self._write(b"".join(lines))
        except OSError as error:
            raise StorageError(f"can't write {self._path}: {error.strerror}") from error

    def _write(self, data: bytes) -> None:
        """Write at the end of what was written whole: not behind half a line."""
        if not self._is_whole:
            self._file.truncate(self._end)
            self._file.seek(self._end)
        self._is_whole = False
        left = memoryview(data)
        while left:
            left = left[self._file.write(left) :]
        os.fsync(self._file.fileno())
        self._end += len(data)
        self._is_whole = True


@contextmanager
def journal(path: Path, clock: Clock = _now) -> Iterator[Journal]:
    """Append to a journal, which is made if it isn't there.

    Raises InputError where another process has it, and for a file that is something else.
    """
    with ExitStack() as stack:
        with input_errors(str(path)):
            lock = try_lock(path)
            if lock is None:
                raise InputError(f"{path}: another process is writing it")
            stack.callback(lock.close)
            # Without a buffer, which would keep what could not be written, and write it later.
            file = stack.enter_context(path.open("r+b", buffering=0))
            _mend(path, file)
            sync_directory(path.absolute().parent)
        yield Journal(path, file, clock)


def entries(path: Path) -> Iterator[dict[str, Any]]:
    """What was written down, the oldest first; nothing where there is no file.

    Raises InputError for a file that is something else.
    """
    return (entry for entry, _ in _entries(path))


def _mend(path: Path, file: FileIO) -> None:
    """Cut off the half line at the end of a file, and go to its end."""
    end = max((end for _, end in _entries(path)), default=0)
    file.truncate(end)
    file.seek(max(0, end - 1))
    if file.read(1) not in (b"", b"\n"):
        file.write(b"\n")


def _entries(path: Path) -> Iterator[tuple[dict[str, Any], int]]:
    """Each entry, and where it ends in the file."""
    if not path.exists():
        return
    end = 0
    with input_errors(str(path)), path.open("rb") as file:
        while line := file.readline(MAX_LINE_BYTES):
            end += len(line)
            entry = _object(line)
            if entry is None:
                if _is_half(line) and _is_blank(file):
                    return
                raise InputError(f"{path} is no journal: there is more in it than lines of JSON")
            yield entry, end


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def _is_half(line: bytes) -> bool:
    """Whether a line may be the one at which a process died; NULs are there after a power cut."""
    written = line.rstrip(b"\0")
    return written[:1] in (b"", b"{") and written[-1:] != b"\n" and len(written) < MAX_LINE_BYTES


def _is_blank(file: BinaryIO) -> bool:
    """Whether there are only NULs from here on."""
    return not any(part.strip(b"\0") for part in iter(lambda: file.read(MAX_LINE_BYTES), b""))
