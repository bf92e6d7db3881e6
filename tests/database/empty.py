"""Databases without rows: the file of SQLite is created once, and copied for each test."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

SQLITE = "sqlite:///"


class Closable(Protocol):
    """An open database."""

    def close(self) -> None:
        """Close it."""


Create = Callable[[str], Closable]
"""Opens the database of a URL, and creates its tables."""


def put_empty(url: str, create: Create) -> None:
    """Create a database, as `create` does; the URL must be unused."""
    if not url.startswith(SQLITE):
        create(url).close()
        return
    path = Path(url.removeprefix(SQLITE))
    assert not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_file(create))


@cache
def _file(create: Create) -> bytes:
    """The file of a database without rows: the migrations take ten times as long as its copy."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "empty.sqlite3"
        create(f"{SQLITE}{path}").close()
        assert not path.with_name(f"{path.name}-wal").exists(), "the log has what the file lacks"
        return path.read_bytes()
