"""Blobstores whose uploads fail as often as a test says."""

from pathlib import Path
from typing import BinaryIO

from indexer.blobstore.directory import Directory
from indexer.errors import StorageError


class Failing(Directory):
    """A directory whose next `failures` uploads fail, with an error of that kind."""

    def __init__(
        self, root: Path, failures: int = 0, error: type[StorageError] = StorageError
    ) -> None:
        super().__init__(root)
        self.failures = failures
        self.error = error
        self.puts: list[str] = []

    def put(self, key: str, file: BinaryIO) -> str:
        """Fail, or store."""
        self.puts.append(key)
        if self.failures > 0:
            self.failures -= 1
            raise self.error(f"{key}: out of order")
        return super().put(key, file)
