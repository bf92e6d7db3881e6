"""New databases with the tables of filesets."""

from indexer.filesets.persisting.store import FilesetStore
from tests.database.empty import put_empty


def new_fileset_store(url: str) -> FilesetStore:
    """Open an empty store; no database may exist at the URL."""
    put_empty(url, FilesetStore.open)
    return FilesetStore.open(url, make=False)
