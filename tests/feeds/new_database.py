"""New databases with the tables of feeds."""

from indexer.database import Database, open_database
from indexer.feeds.store import open_feeds
from tests.database.empty import put_empty


def new_feeds(url: str) -> Database:
    """A new database, as made by `open_feeds`; the URL must be unused."""
    put_empty(url, open_feeds)
    return open_database(url, make=False)
