"""What would become of items is what becomes of them when they are saved."""

from datetime import timedelta
from typing import Any

import pytest

from indexer.database import Database
from indexer.feeds.attempt import NewItem, Poll
from indexer.feeds.models import stories
from indexer.feeds.saving.deciding import decide
from indexer.feeds.saving.known import FORGOTTEN
from indexer.feeds.tools.foresight import ANOTHER_ITEM, Fate, Viewpoint, foresee
from tests.feeds.rows import NOW, fetched, item

DAYS = 7
OLD = NOW - timedelta(days=8)

Items = list[NewItem]


def save(database: Database, items: Items, feed: int = 1, source: int | None = 3) -> dict[str, int]:
    """Save items as those of a feed; what became of them, counted."""
    poll = Poll(feed_id=feed, url="https://news.example/feed", lease="x", expires=NOW)
    poll.sources_id = source
    with database.writing() as connection:
        (decided,) = decide(database, connection, [fetched(poll, items, 0)], NOW, DAYS)
    return decided.counts.reasons


def view(feed: int = 1, source: int | None = 3) -> Viewpoint:
    return Viewpoint(feed, source, NOW, DAYS)


@pytest.mark.parametrize(
    ("items", "feed", "source"),
    [
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
        ([item(8, title_hash="x", published_at=OLD), item(9, title_hash="x")], 1, 3),
        ([item(8, guid="x"), item(9, guid="x"), item(10, guid="x")], 1, 3),
        ([item(9, guid="g1"), item(9, guid=None)], 1, 3),
        ([], 1, 3),
    ],
)
def test_it_is_what_happens(
    feeds_db: Database, items: Items, feed: int, source: int | None
) -> None:
    save(feeds_db, [item(1), item(2, published_at=OLD), item(3, guid=None)])
    foreseen = foresee(feeds_db, items, view(feed, source))
    counts: dict[str, int] = {}
    for fate in foreseen:
        counts[fate.counter] = counts.get(fate.counter, 0) + 1
    assert counts == save(feeds_db, items, feed, source)


def test_a_duplicate_names_the_story_that_it_is_one_of(feeds_db: Database) -> None:
    save(feeds_db, [item(1), item(2)])
    asked = [item(1), item(9, guid="g2"), item(8, title_hash="t1"), item(7), item(7, guid=None)]
    assert foresee(feeds_db, asked, view()) == [
        Fate("dup_url", 1),
        Fate("dup_guid", 2),
        Fate("dup_title", 1),
        Fate("ok"),
        Fate("dup_url", ANOTHER_ITEM),
    ]
    with feeds_db.writing() as connection:
        connection.execute(stories.delete())
    assert foresee(feeds_db, [item(1)], view()) == [Fate("dup_url", FORGOTTEN)]


def test_to_look_changes_nothing(feeds_db: Database) -> None:
    def look() -> Any:
        return foresee(feeds_db, [item(1), item(2)], view())

    assert look() == look() == [Fate("ok"), Fate("ok")]
    assert save(feeds_db, [item(1)]) == {"ok": 1}
