"""Locks between the processes of one machine: `flock` on a file.

The kernel releases a lock when its process ends, however it ends: no lock has to expire.
"""

import fcntl
import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Self


class FileLock:
    """A lock file, open in this process. Two objects exclude each other, in one process too.

    `with lock:` waits for the lock and holds it. Not reentrant. Methods raise OSError.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = FileIO(path, "a")
        _open_files.add(self._file)

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        fcntl.flock(self._file, fcntl.LOCK_UN)

    def acquire(self) -> None:
        """Wait for the lock, and take it."""
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def try_acquire(self) -> bool:
        """Take the lock without waiting; whether it was free."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        """Close the file, which releases the lock; the file stays."""
        self._file.close()

    def remove(self) -> None:
        """Delete the file, then release the lock, even if the file can't be deleted."""
        # The other order would delete a file that the next process has just locked.
        with suppress(OSError):
            self._path.unlink()
        self.close()

    def is_of(self, path: Path) -> bool:
        """Whether the open file is still the one at that path."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), path.stat())
        except FileNotFoundError:
            return False


def try_lock(path: Path) -> FileLock | None:
    """Lock a file, which is made if missing; None if another process, or object, has the lock."""
    while True:
        lock = FileLock(path)
        if not lock.try_acquire():
            lock.close()
            return None
        # Its last owner may have removed or renamed the file after it was opened here: a lock on
        # that file excludes nobody who opens the path from now on.
        if lock.is_of(path):
            return lock
        lock.close()


@contextmanager
def locked(path: Path) -> Iterator[FileLock]:
    """Wait for the lock of a file, which is made if missing and never removed; hold it."""
    lock = FileLock(path)
    try:
        with lock:
            yield lock
    finally:
        lock.close()


def is_locked(path: Path) -> bool:
    """Whether a process holds the lock of a file; True also if the file can't be opened."""
    try:
        with path.open("rb") as file:
            # A shared lock, so that two processes that ask at once don't see each other's.
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


_open_files: "weakref.WeakSet[FileIO]" = weakref.WeakSet()


def _close_all() -> None:
    for file in list(_open_files):
        file.close()


# A lock belongs to the open file, which a forked child shares. A child that outlives its killed
# parent would keep the parent's locks. Closing in the child leaves the lock with the parent.
os.register_at_fork(after_in_child=_close_all)
