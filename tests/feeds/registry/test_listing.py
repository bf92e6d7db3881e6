"""Lists that are read in portions, and their cursors."""

from datetime import datetime

import pytest

from indexer.database import Database
from indexer.feeds.api import queries
from indexer.feeds.registry import listing
from indexer.feeds.registry.listing import Reader, cursor, values
from tests.feeds.served import a_story, add_stories


def test_a_portion_is_read_when_it_is_asked_for(
    feeds_db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "PORTION", 2)
    add_stories(feeds_db, a_story(1), a_story(2), a_story(3))
    portions = Reader(feeds_db, queries.rss_entries(), None, None).portions()
    assert [row["id"] for row in next(portions)] == [1, 2]
    # Rows added meanwhile are read, and none twice: no transaction is open.
    add_stories(feeds_db, a_story(4), a_story(5))
    assert [[row["id"] for row in rows] for rows in portions] == [[3, 4], [5]]


@pytest.mark.parametrize(("limit", "next"), [(1, "1"), (2, "2"), (3, None), (None, None)])
def test_next_is_the_last_row_where_another_follows(
    feeds_db: Database, limit: int | None, next: str | None
) -> None:
    add_stories(feeds_db, a_story(1), a_story(2), a_story(3))
    reader = Reader(feeds_db, queries.rss_entries(), limit, None)
    assert len([row for rows in reader.portions() for row in rows]) == (limit or 3)
    assert reader.next == next


def test_of_nothing_there_is_one_empty_portion(feeds_db: Database) -> None:
    reader = Reader(feeds_db, queries.rss_entries(), 5, (7,))
    assert [*reader.portions()] == [[]]
    assert reader.next is None


def test_a_cursor_is_text_of_values() -> None:
    moment = datetime(2026, 11, 21, 12, 30, 0, 1)
    text = cursor((moment, -7))
    assert text == "2026-11-21T12:30:00.000001~-7"
    assert values(text, datetime.fromisoformat, int) == (moment, -7)
    for other in ("", "~", text + "~1", "7"):
        with pytest.raises(ValueError, match=r"."):
            values(other, datetime.fromisoformat, int)
