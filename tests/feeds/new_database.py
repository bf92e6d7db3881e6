"""New databases with the tables of feeds: for SQLite migrated once, and copied for each test."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from indexer.database import Database, open_database
from indexer.feeds.store import open_feeds

SQLITE = "sqlite:///"


def new_feeds(url: str) -> Database:
    """A new database, as made by `open_feeds`; the URL must be unused."""
    if not url.startswith(SQLITE):
        return open_feeds(url)
    path = Path(url.removeprefix(SQLITE))
    assert not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_empty())
    return open_database(url, make=False)


@cache
def _empty() -> bytes:
    """The file of a database without rows: the migrations take ten times as long as its copy."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "feeds.sqlite3"
        open_feeds(f"{SQLITE}{path}").close()
        assert not path.with_name(f"{path.name}-wal").exists(), "the log has what the file lacks"
        return path.read_bytes()
