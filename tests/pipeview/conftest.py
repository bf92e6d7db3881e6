"""A store of each kind, and crumbs to put into it."""

from collections.abc import Iterator

import pytest

from indexer.pipeview.store import Store


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    """An empty store."""
    opened = Store.open(database_url)
    yield opened
    opened.close()
