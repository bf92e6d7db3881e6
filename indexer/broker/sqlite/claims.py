"""Locks that the kernel lets go of when their process ends, however it ends.

A consumer of the embedded broker holds one for as long as it lives: so what a killed consumer had
taken can be given to others at once, without a lease that must be renewed.
"""

import fcntl
import os
import weakref
from contextlib import suppress
from pathlib import Path
from typing import IO


class ProofOfLife:
    """A locked file. Whoever can't lock it as well knows that its owner lives."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = _open(path)
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def end(self) -> None:
        """Remove the file, and let go of it. Never raises: the lock is what counts."""
        with suppress(OSError):
            self._path.unlink()
        self._file.close()


def lives(path: Path) -> bool:
    """Whether a process holds the lock of that file. One that can't be opened counts as held."""
    try:
        with path.open("rb") as file:
            # Shared, so that two who ask at once don't take each other for the owner.
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    else:
        return False


class Turn:
    """A lock between processes, for moments: `with turn: …`. Those who wait are woken in turn."""

    def __init__(self, path: Path) -> None:
        self._file = _open(path)

    def __enter__(self) -> None:
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _open(path: Path) -> IO[bytes]:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("ab")
    _open_files.add(file)
    return file


_open_files: "weakref.WeakSet[IO[bytes]]" = weakref.WeakSet()


def _close_all() -> None:
    for file in list(_open_files):
        file.close()


# A lock belongs to the open file, which a forked child shares: without this, a child that outlives
# its killed parent would keep the parent's messages.
os.register_at_fork(after_in_child=_close_all)
