"""A file that is being downloaded, and what is known of the version of it that the server has.

NAME.part        the bytes so far
NAME.part.json   the version of which they are, so that another process can go on
"""

import json
from dataclasses import asdict, dataclass
from datetime import timedelta
from io import BufferedWriter
from pathlib import Path
from typing import Final, Self

from indexer.files.whole_files import move_into_place, sync_file, write_whole
from indexer.http.fetching.exchange import Response
from indexer.text.dates import http_date

_STRONG: Final = timedelta(seconds=60)
"""A file with two changes within the same second has one Last-Modified for both versions."""


@dataclass(frozen=True, slots=True)
class FileVersion:
    """A version of a file on a server; "" and None for what the server does not say.

    `is_old`: the server's clock was at least a minute behind `modified` when it said so.
    """

    etag: str = ""
    modified: str = ""
    is_old: bool = False
    size: int | None = None

    @classmethod
    def of(cls, response: Response, size: int | None) -> Self:
        """The version whose bytes a response has."""
        modified = response.headers.get("last-modified", "")
        date, changed = http_date(response.headers.get("date")), http_date(modified)
        is_old = bool(date and changed and date - changed >= _STRONG)
        return cls(response.headers.get("etag", ""), modified, is_old, size)

    @property
    def validator(self) -> str:
        """The value of If-Range: a strong validator (RFC 9110, 13.1.5); "" if there is none."""
        if self.etag:
            return "" if self.etag.startswith("W/") else self.etag
        return self.modified if self.is_old else ""

    def contradicts(self, other: "FileVersion") -> bool:
        """Whether both can't be the same version: some servers ignore If-Range."""
        pairs = (
            (self.etag, other.etag),
            (self.modified, other.modified),
            (self.size, other.size),
        )
        return any(one not in ("", None) and two not in ("", None) and one != two
                   for one, two in pairs)  # fmt: skip


class PartialFile:
    """The unfinished file beside `path`. Raises OSError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.part = path.with_name(f"{path.name}.part")
        self._notes = path.with_name(f"{path.name}.part.json")

    @property
    def size(self) -> int:
        """The bytes so far."""
        return self.part.stat().st_size if self.part.exists() else 0

    @property
    def version(self) -> FileVersion | None:
        """The version of which the bytes are; None if they can't be continued."""
        try:
            return FileVersion(**json.loads(self._notes.read_bytes()))
        except (FileNotFoundError, ValueError, TypeError):
            return None

    def begin(self, version: FileVersion | None) -> None:
        """Begin anew; without a version the bytes can't be continued."""
        self._notes.unlink(missing_ok=True)
        self.part.write_bytes(b"")
        if version is not None:
            write_whole(self._notes, json.dumps(asdict(version)).encode(), durable=False)

    def open(self) -> BufferedWriter:
        """The file, to append to."""
        return self.part.open("ab")

    def finish(self) -> None:
        """Make it the file at `path`, on disk."""
        with self.open() as file:
            sync_file(file)
        move_into_place(self.part, self._path)
        self._notes.unlink(missing_ok=True)
