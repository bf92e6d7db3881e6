"""A store in a database of each kind."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from indexer.software.store.store import SoftwareStore
from tests.software.store.stores import new_store


@pytest.fixture
def store(database_url: str) -> Iterator[SoftwareStore]:
    """An empty store."""
    with closing(new_store(database_url)) as found:
        yield found
