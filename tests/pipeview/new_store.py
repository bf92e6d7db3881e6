"""New stores of crumbs: the file of SQLite is made once, and copied for each test."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from indexer.pipeview.store import CrumbStore

SQLITE = "sqlite:///"


def new_store(url: str) -> CrumbStore:
    """Open an empty store, as `CrumbStore.open` makes it; no database may exist at the URL."""
    if not url.startswith(SQLITE):
        return CrumbStore.open(url)
    path = Path(url.removeprefix(SQLITE))
    assert not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_empty())
    return CrumbStore.open(url, make=False)


@cache
def _empty() -> bytes:
    """The file of an empty store: its migrations take ten times as long as its copy."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pipeview.sqlite3"
        CrumbStore.open(f"{SQLITE}{path}").close()
        assert not path.with_name(f"{path.name}-wal").exists(), "the log has rows that are not here"
        return path.read_bytes()
