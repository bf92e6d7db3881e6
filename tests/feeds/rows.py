"""Rows of feeds for tests."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select

from indexer.database import Database
from indexer.feeds.attempt import Attempt, FeedAnswer, FeedDocument, NewItem, Poll
from indexer.feeds.feed import Feed
from indexer.feeds.models import feeds, fetch_events, stories

NOW = datetime(2026, 11, 21, 12)


def later(seconds: float) -> datetime:
    """The time so many seconds after NOW."""
    return NOW + timedelta(seconds=seconds)


def add_feeds(database: Database, rows: Sequence[dict[str, Any]]) -> None:
    """Add feeds with ids from 1, each on its own host if none is given."""
    whole = [
        {
            "id": number,
            "url": f"https://{row.get('host', f'h{number}.example')}/feed/{number}",
            "host": f"h{number}.example",
            "domain": f"h{number}.example",
            "created_at": NOW - timedelta(days=100),
            **row,
        }
        for number, row in enumerate(rows, 1)
    ]
    with database.writing() as connection:
        for row in whole:
            connection.execute(feeds.insert(), row)


def feed(database: Database, id: int = 1) -> Feed:
    """The current row of a feed."""
    with database.reading() as connection:
        row = connection.execute(select(feeds).where(feeds.c.id == id)).mappings().one()
        return Feed.of(row)


def events(database: Database, id: int = 1) -> list[dict[str, Any]]:
    """A feed's events, oldest first."""
    statement = select(fetch_events).where(fetch_events.c.feed_id == id).order_by("id")
    with database.reading() as connection:
        return [dict(row) for row in connection.execute(statement).mappings()]


def all_stories(database: Database) -> list[dict[str, Any]]:
    """All stories, ordered by id."""
    with database.reading() as connection:
        found = connection.execute(select(stories).order_by(stories.c.id)).mappings()
        return [dict(row) for row in found]


def item(number: int | str = 1, **fields: Any) -> NewItem:
    """An item that may be a story."""
    url = f"https://news.example/story-{number}"
    return NewItem(
        url=url,
        identity=url.removeprefix("https://"),
        domain="news.example",
        **{"guid": f"g{number}", "title": f"Title {number}", "title_hash": f"t{number}", **fields},
    )


def fetched(
    poll: Poll, items: Sequence[NewItem] = (), seconds: float = 1, **fields: Any
) -> Attempt:
    """An attempt with a document of these items, begun so many seconds after NOW."""
    document = FeedDocument(format="rss 2.0", title="News", entries=len(items), items=list(items))
    answer = FeedAnswer(code=200, url=poll.url, md5="0" * 32, size=100)
    known = {"document": document, "answer": answer, "started": later(seconds)}
    return Attempt(poll=poll, **{**known, **fields})
