"""Lock files: a process has them in hand while it lives, and no longer."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


class Lock:
    """A lock file that this process holds. The kernel lets go of it when the process ends."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor

    @classmethod
    def take(cls, path: Path) -> "Lock | None":
        """Lock the file, made if it isn't there; None if another process, or Lock, holds it."""
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        return cls(path, descriptor)

    def drop(self) -> None:
        """Remove the file, and let go."""
        self._path.unlink(missing_ok=True)
        self.release()

    def release(self) -> None:
        """Let go; the file stays, for whoever takes it next."""
        os.close(self._descriptor)


@contextmanager
def locked(path: Path) -> Iterator[BinaryIO]:
    """A file, open to read and write, that one process has at a time; the others wait."""
    with path.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file
