"""Results kept as lines of JSON in a file a day, from which they can be read again.

    DIRECTORY/ingest-fileset-results-2026-11-22.jsonl

Several processes may append; a line is on disk when `append` returns. A process that dies may
leave a part of a line, which readers skip, and behind which the next line begins.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from indexer.errors import StorageError
from indexer.files.locks import locked
from indexer.files.whole_files import sync_file
from indexer.text.dates import utc_now

DIRECTORY: Final = "fileset-results"
"""Where results are kept, in the data directory."""

FILESETS: Final = "ingest-fileset-results"
FILES: Final = "ingest-file-results"
"""The topics of results (filesets.md 9)."""


class DatedLines:
    """The results of one topic in a directory."""

    def __init__(self, directory: Path, topic: str, now: Callable[[], datetime] = utc_now) -> None:
        self._directory = directory
        self._topic = topic
        self._now = now

    def append(self, result: Mapping[str, Any]) -> None:
        """Append a result durably. Raises StorageError."""
        path = self._directory / f"{self._topic}-{self._now().astimezone(UTC):%Y-%m-%d}.jsonl"
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            # The lock file stays: its removal would let two processes hold it.
            with locked(self._directory / f".{self._topic}.lock"), path.open("a+b") as file:
                file.write(_separator(file) + json.dumps(result).encode() + b"\n")
                sync_file(file)
        except OSError as error:
            raise StorageError(f"can't write {path}: {error.strerror or error}") from error

    def read(self) -> Iterator[dict[str, Any]]:
        """All results, the oldest first; damaged lines are left out."""
        for path in sorted(self._directory.glob(f"{self._topic}-????-??-??.jsonl")):
            with path.open("rb") as file:
                for line in file:
                    if (found := _object(line)) is not None:
                        yield found


def _separator(file: Any) -> bytes:
    """A line end, if the last line has none."""
    end = file.seek(0, 2)
    if not end:
        return b""
    file.seek(end - 1)
    return b"" if file.read(1) == b"\n" else b"\n"


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
