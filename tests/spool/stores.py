"""Blobstores whose uploads fail, or damage what they store, as often as a test says."""

from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from indexer.blobstore.directory import Directory
from indexer.errors import StorageError
from tests.blobstore.memory import Memory


class Failing(Directory):
    """A directory whose next `failures` uploads fail, with an error of that kind.

    If `refused` is set, all uploads of keys that end so fail.
    """

    def __init__(
        self, root: Path, failures: int = 0, error: type[StorageError] = StorageError
    ) -> None:
        super().__init__(root)
        self.root = root
        self.failures = failures
        self.error = error
        self.refused = ""
        self.puts: list[str] = []

    def put(self, key: str, file: BinaryIO, sha256: str = "") -> str:
        """Fail, or store."""
        self.puts.append(key)
        if self.failures > 0 or (self.refused and key.endswith(self.refused)):
            self.failures -= 1
            raise self.error(f"{key}: out of order")
        return super().put(key, file, sha256)


class Damaging(Memory):
    """Memory whose next `failures` uploads are cut. `forgets`: it keeps no digests."""

    def __init__(self, url: str, failures: int = 0, *, forgets: bool = False) -> None:
        super().__init__(url)
        self.failures = failures
        self.forgets = forgets

    def put(self, key: str, file: BinaryIO, sha256: str = "") -> str:
        """Store the file, or all but the last byte of it."""
        if self.failures <= 0:
            return super().put(key, file, sha256)
        self.failures -= 1
        super().put(key, BytesIO(file.read()[:-1]))
        stored, data, _ = self._found(key)
        self._objects[self._url(key)] = stored, data, "" if self.forgets else sha256
        raise StorageError(f"{key}: the stored object differs from the content sent")
