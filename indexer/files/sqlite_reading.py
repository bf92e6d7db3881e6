"""SQLite files that this user may read but not write: of another user, or on a read-only disk.

In WAL mode SQLite writes even to read: it makes FILE-wal and FILE-shm, and locks parts of FILE-shm.
Without permission to write there are three cases (sqlite.org/wal.html, "Read-Only Databases"):

both files exist     SQLite reads them as they are, also while another program writes
no FILE-wal          FILE is complete: SQLite takes it as immutable, which `unchanged` verifies
only FILE-wal        the last changes can't be read before another user has opened FILE
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from indexer.errors import StorageError


def may_write(path: Path) -> bool:
    """Whether this user may write the existing file, and make files beside it."""
    return _may(path, os.W_OK) and _may(path.parent, os.W_OK)


def read_only_uri(path: Path) -> str:
    """The URI with which SQLite reads a file without writing anything. Raises OSError."""
    return f"{path.absolute().as_uri()}?{'immutable=1' if _is_complete(path) else 'mode=ro'}"


@contextmanager
def unchanged(path: Path) -> Iterator[None]:
    """Raise StorageError at the end if a file read as immutable was written meanwhile."""
    before = _state(path) if _is_complete(path) else None
    yield
    if before and _state(path) != before:
        raise StorageError(
            f"{path} was changed while it was read, and may have been read wrongly: "
            "run the command again"
        )


def obstacle(path: Path) -> str:
    """Why this user can't use a file as SQLite was asked to; "" if unknown."""
    if not path.exists() or may_write(path):
        return ""
    if not _may(path, os.R_OK):
        return "you may not read this file"
    if _is_complete(path):
        return "you may not write this file"
    return (
        f"you may not write this file, and its last changes are in {path.name}-wal: "
        "a user who may write it has to open it first"
    )


def _is_complete(path: Path) -> bool:
    """Whether no changes are outside of the file, and no program has it open to make some."""
    wal, shared = (path.with_name(f"{path.name}-{each}") for each in ("wal", "shm"))
    try:
        return not wal.stat().st_size and not shared.exists()
    except FileNotFoundError:
        return True


def _state(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def _may(path: Path, mode: int) -> bool:
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)
