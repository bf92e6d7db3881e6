"""Journals: files of JSON lines, appended durably, from which the next run continues.

`append` returns when the lines are on disk. A process that dies while it appends may leave a part
of a line at the end of the file; a power cut may leave NULs. That end is ignored and cut off.
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
from indexer.text.dates import utc_now
from indexer.text.unpacking import input_errors

MAX_LINE_BYTES = 1 << 20

Clock = Callable[[], datetime]


class Journal:
    """A journal to which only this process appends."""

    def __init__(self, path: Path, file: FileIO, clock: Clock) -> None:
        self._path = path
        self._file = file
        self._clock = clock
        self._end = file.tell()
        self._is_whole = True

    def append(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Append all entries durably, or none. Each gets the time, as `when`.

        Raises StorageError, also for an entry that is longer than readers accept.
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
        """Write behind the last whole line."""
        # An earlier write failed, on a full disk for example, and has left a part of a line.
        if not self._is_whole:
            self._file.truncate(self._end)
            self._file.seek(self._end)
        self._is_whole = False
        left = memoryview(data)
        # An unbuffered `write` may write only a part, when the disk is nearly full.
        while left:
            left = left[self._file.write(left) :]
        os.fsync(self._file.fileno())
        self._end += len(data)
        self._is_whole = True


@contextmanager
def journal(path: Path, clock: Clock = utc_now) -> Iterator[Journal]:
    """Open a journal to append to it; a missing file is made.

    Raises InputError if another process has it open, or the file is no journal.
    """
    with ExitStack() as stack:
        with input_errors(str(path)):
            lock = try_lock(path)
            if lock is None:
                raise InputError(f"{path}: another process is writing it")
            stack.callback(lock.close)
            # Unbuffered: a buffer would keep data that could not be written, and write it later.
            file = stack.enter_context(path.open("r+b", buffering=0))
            _mend(path, file)
            # A new file's name has to be on disk before its first entry counts as durable.
            sync_directory(path.absolute().parent)
        yield Journal(path, file, clock)


def entries(path: Path) -> Iterator[dict[str, Any]]:
    """The entries, the oldest first; none if there is no file.

    Raises InputError if the file is no journal.
    """
    return (entry for entry, _ in _entries(path))


def _mend(path: Path, file: FileIO) -> None:
    """Cut off a part of a line at the end, and move to the end."""
    end = max((end for _, end in _entries(path)), default=0)
    file.truncate(end)
    file.seek(max(0, end - 1))
    # A person may have edited the file, and left the last line without its line end.
    if file.read(1) not in (b"", b"\n"):
        file.write(b"\n")


def _entries(path: Path) -> Iterator[tuple[dict[str, Any], int]]:
    """The entries, each with the offset of its end in the file."""
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
                raise InputError(f"{path} is no journal: it contains more than lines of JSON")
            yield entry, end


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def _is_half(line: bytes) -> bool:
    """Whether a line may be the unfinished one at which a process died, or a power cut's NULs."""
    written = line.rstrip(b"\0")
    return written[:1] in (b"", b"{") and written[-1:] != b"\n" and len(written) < MAX_LINE_BYTES


def _is_blank(file: BinaryIO) -> bool:
    """Whether the rest of the file contains only NULs."""
    return not any(part.strip(b"\0") for part in iter(lambda: file.read(MAX_LINE_BYTES), b""))
