"""Several hashes of one file, each byte read once: while it is written, or from the disk."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, Final

CHUNK: Final = 1 << 20


class FileHashes:
    """The hashes of a file that grows. `size`: the bytes that are hashed so far."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)
        self.restart()

    def restart(self) -> None:
        """Begin with the first byte again."""
        self.size = 0
        self._hashes = {name: hashlib.new(name, usedforsecurity=False) for name in self._names}

    def update(self, data: bytes) -> None:
        """Add the next bytes."""
        for each in self._hashes.values():
            each.update(data)
        self.size += len(data)

    def catch_up(self, path: Path, size: int) -> None:
        """Hash the first `size` bytes of a file, unless it has been done. Raises OSError."""
        if self.size == size:
            return
        self.restart()
        with path.open("rb") as file:
            while self.size < size and (data := file.read(min(CHUNK, size - self.size))):
                self.update(data)

    def read(self, file: BinaryIO) -> None:
        """Add the rest of a file."""
        while data := file.read(CHUNK):
            self.update(data)

    def digests(self) -> dict[str, str]:
        """The hashes by name, in lower-case hex."""
        return {name: each.hexdigest() for name, each in self._hashes.items()}
