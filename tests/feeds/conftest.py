"""What the tests of feeds have in common: a database of each kind."""

from collections.abc import Iterator

import pytest

from indexer.database import Database
from indexer.feeds.store import open_feeds


@pytest.fixture
def feeds_db(database_url: str) -> Iterator[Database]:
    """A database with the tables of feeds, empty: SQLite, and PostgreSQL where it answers."""
    database = open_feeds(database_url)
    yield database
    database.close()
