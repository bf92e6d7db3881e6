"""New stores of crumbs."""

from indexer.pipeview.store import CrumbStore
from tests.database.empty import put_empty


def new_store(url: str) -> CrumbStore:
    """Open an empty store, as `CrumbStore.open` makes it; no database may exist at the URL."""
    put_empty(url, CrumbStore.open)
    return CrumbStore.open(url, make=False)
