"""A store of each kind, and crumbs to put into it."""

from collections.abc import Iterator

import pytest

from indexer.pipeview.store import CrumbStore


@pytest.fixture
def store(database_url: str) -> Iterator[CrumbStore]:
    """An empty store."""
    opened = CrumbStore.open(database_url)
    yield opened
    opened.close()
