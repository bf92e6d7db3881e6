"""Feed documents kept in files for a person to examine: only the newest."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from indexer.errors import StorageError
from indexer.files.whole_files import write_whole

MOST = 1000
"""The maximum of files in the directory; the oldest are deleted."""


@dataclass
class KeptBodies:
    """A directory of documents, named by time and feed; it is created with the first document."""

    directory: Path
    most: int = MOST

    def keep(self, feed_id: int, started: datetime, parts: list[bytes]) -> None:
        """Write each part of a body to a file. Raises StorageError."""
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            for number, part in enumerate(parts):
                name = f"{started:%Y%m%dT%H%M%S}-{feed_id}-{number}"
                # Not durable: losing such a file in a crash does no harm, and fsync is slow.
                write_whole(self.directory / name, part, durable=False)
            self._prune()
        except OSError as error:
            raise StorageError(f"{self.directory}: {error.strerror or error}") from error

    def _prune(self) -> None:
        # Names begin with the time, so the oldest come first. Dots begin unfinished files.
        names = sorted(path.name for path in self.directory.iterdir() if path.name[0] != ".")
        for name in names[: -self.most]:
            (self.directory / name).unlink(missing_ok=True)
