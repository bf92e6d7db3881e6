"""The preview of items shows the saver's decisions."""

from collections import Counter
from datetime import timedelta

from sqlalchemy import Connection

from indexer.database import Database
from indexer.feeds.attempt import NewItem, Poll
from indexer.feeds.models import stories
from indexer.feeds.saving.deciding import DELETED, Decision
from indexer.feeds.saving.storing import store_items
from indexer.feeds.tools.preview import preview
from tests.feeds.rows import NOW, fetched, item

DAYS = 7
OLD = NOW - timedelta(days=8)

Items = list[NewItem]


def save(database: Database, items: Items) -> dict[str, int]:
    """Store items of feed 1 of source 3; the number of items by counter."""
    with database.writing() as connection:
        return stored(database, connection, items, 1, 3)


def stored(
    database: Database, connection: Connection, items: Items, feed: int, source: int | None
) -> dict[str, int]:
    poll = Poll(feed_id=feed, url="https://news.example/feed", lease="x", expires=NOW)
    poll.sources_id = source
    (result,) = store_items(database, connection, [fetched(poll, items, 0)], NOW, DAYS)
    return result.counts.reasons


def look(database: Database, items: Items, feed: int = 1, source: int | None = 3) -> list[Decision]:
    return preview(database, items, feed, source, NOW, DAYS)


ROWS: list[tuple[Items, int, int | None]] = [
    ([item(1), item(2)], 1, 3),
    ([item(1), item(9)], 2, 4),
    ([item(9, guid="g1"), item(9, guid="g1", title_hash="")], 1, 3),
    ([item(9, guid=" g1 ")], 2, 3),
    ([item(9, guid="g1", guid_means=False)], 1, 3),
    ([item(8, title_hash="t1"), item(9, title_hash="t1")], 1, 3),
    ([item(8, title_hash="t2")], 1, 3),
    ([item(8, title_hash="t1")], 1, 4),
    ([item(8, title_hash="t1")], 1, None),
    ([item(8, title_hash=""), item(9, title_hash="")], 1, 3),
    ([item(8), item(8)], 1, 3),
    ([item(8, title_hash="x"), item(9, title_hash="x")], 1, 3),
    ([item(8, title_hash="x"), item(9, title_hash="x")], 1, None),
    ([item(8, title_hash="x", published_at=OLD), item(9, title_hash="x")], 1, 3),
    ([item(8, guid="x"), item(9, guid="x"), item(10, guid="x")], 1, 3),
    ([item(9, guid="g1"), item(9, guid=None)], 1, 3),
    ([], 1, 3),
]


def test_the_saver_decides_what_the_preview_shows(feeds_db: Database) -> None:
    before = [item(1), item(2, published_at=OLD), item(3, guid=None)]
    save(feeds_db, before)
    wrong = {}
    for row, (items, feed, source) in enumerate(ROWS):
        shown = Counter(each.counter for each in look(feeds_db, items, feed, source))
        with feeds_db.writing() as connection:
            nested = connection.begin_nested()
            saved = stored(feeds_db, connection, items, feed, source)
            nested.rollback()
        if shown != saved:
            wrong[row] = shown, saved
    assert wrong == {}


def test_a_duplicate_names_its_story(feeds_db: Database) -> None:
    save(feeds_db, [item(1), item(2)])
    asked = [item(1), item(9, guid="g2"), item(8, title_hash="t1"), item(7), item(7, guid=None)]
    assert look(feeds_db, asked) == [
        Decision("dup_url", story=1),
        Decision("dup_guid", story=2),
        Decision("dup_title", story=1),
        Decision("ok", position=3),
        Decision("dup_url", position=3),
    ]
    with feeds_db.writing() as connection:
        connection.execute(stories.delete())
    assert look(feeds_db, [item(1)]) == [Decision("dup_url", story=DELETED)]


def test_a_preview_changes_nothing(feeds_db: Database) -> None:
    items = [item(1), item(2)]
    new = [Decision("ok", position=0), Decision("ok", position=1)]
    assert look(feeds_db, items) == look(feeds_db, items) == new
    assert save(feeds_db, [item(1)]) == {"ok": 1}
