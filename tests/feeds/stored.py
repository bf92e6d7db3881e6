"""Rows for tests: feeds, and stories of some day."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Table, select

from indexer.database import Database
from indexer.feeds import models

TODAY = datetime(2026, 1, 15, 12)
YESTERDAY = TODAY - timedelta(days=1)


def put(database: Database, table: Table, *rows: dict[str, Any]) -> None:
    """Write rows that have the same columns."""
    with database.writing() as connection:
        connection.execute(table.insert(), list(rows))


def a_feed(number: int = 1, **more: Any) -> dict[str, Any]:
    """The row of a feed; its source is 100 times its number."""
    url = f"https://news{number}.example/feed"
    return {"id": number, "sources_id": 100 * number, "url": url, **more}


def a_story(number: int, fetched_at: datetime = YESTERDAY, **more: Any) -> dict[str, Any]:
    """The row of a story of feed 1."""
    return {
        "id": number,
        "feed_id": 1,
        "sources_id": 100,
        "url": f"https://news1.example/{number}",
        "identity": f"news1.example/{number}",
        "fetched_at": fetched_at,
        "published_at": fetched_at - timedelta(hours=1),
        "domain": "news1.example",
        "title": f"Story {number}",
        **more,
    }


def a_ref(story: int, seen_at: datetime, feed: int = 1) -> dict[str, Any]:
    """The row of a ref: a feed has shown a story."""
    return {"story_id": story, "feed_id": feed, "seen_at": seen_at}


def ids(database: Database, table: Table) -> list[Any]:
    """The first column of the key of all rows."""
    key = next(iter(table.primary_key))
    with database.reading() as connection:
        return sorted(connection.scalars(select(key)))


def count(database: Database, tables: Iterable[Table] = models.metadata.sorted_tables) -> int:
    """The number of rows of all tables."""
    return sum(len(ids(database, table)) for table in tables)
