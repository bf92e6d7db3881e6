"""Documents put aside for a person to look at: the newest few, one file each."""

from datetime import datetime
from pathlib import Path

from indexer.errors import StorageError
from indexer.files.whole_files import write_whole

MOST = 1000
"""Files in a directory; the oldest give way."""


class KeptBodies:
    """A directory of documents, by feed and time; it is made when something is kept."""

    def __init__(self, directory: Path, most: int = MOST) -> None:
        self._directory = directory
        self._most = most

    def keep(self, feed_id: int, started: datetime, parts: list[bytes]) -> None:
        """Write the parts of a body, each to a file of its own. Raises StorageError."""
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            for number, part in enumerate(parts):
                name = f"{started:%Y%m%dT%H%M%S}-{feed_id}-{number}"
                write_whole(self._directory / name, part, durable=False)
            self._prune()
        except OSError as error:
            raise StorageError(f"{self._directory}: {error.strerror or error}") from error

    def _prune(self) -> None:
        # Names begin with the time.
        names = sorted(path.name for path in self._directory.iterdir() if path.name[0] != ".")
        for name in names[: -self._most]:
            (self._directory / name).unlink(missing_ok=True)
