"""Fixtures of the tests of feeds."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from indexer.database import Database
from tests.feeds.new_database import new_feeds


@pytest.fixture
def feeds_db(database_url: str) -> Iterator[Database]:
    """A database of each kind with the tables of feeds, empty."""
    with closing(new_feeds(database_url)) as database:
        yield database
