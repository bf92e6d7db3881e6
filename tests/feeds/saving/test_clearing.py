"""After its stories were cleared, a feed's items are new again."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from indexer.database import Database
from indexer.feeds import models
from indexer.feeds.saving import clearing
from indexer.feeds.saving.clearing import clear_stories
from tests.feeds.stored import TODAY, YESTERDAY, a_feed, a_ref, a_story, ids, put

READ = {
    "last_fetch_hash": "0123",
    "http_etag": '"x"',
    "http_last_modified": "yesterday",
    "validators_url": "https://news1.example/feed",
    "not_modified_count": 3,
    "full_fetch_at": YESTERDAY,
    "queued": True,
    "lease_owner": "scheduler-1",
    "lease_expires": TODAY,
}


def fill(database: Database) -> None:
    """Add a feed with four stories, one of which another feed shows, too; each has two keys."""
    put(database, models.feeds, a_feed(1, **READ), a_feed(2, **READ))
    put(database, models.stories, *(a_story(number) for number in range(1, 6)))
    refs = [a_ref(number, TODAY) for number in range(1, 5)]
    put(database, models.story_refs, *refs, a_ref(4, TODAY, 2), a_ref(5, TODAY, 2))
    keys = [(number, more) for number in range(1, 6) for more in (0, 1)]
    rows = [
        {
            "key": bytes([number, more] * 8),
            "story_id": number,
            "seen_on": (YESTERDAY + timedelta(days=more)).date(),
        }
        for number, more in keys
    ]
    put(database, models.story_keys, *rows)


@pytest.mark.parametrize("portion", [1, 2, 1000])
def test_stories_of_this_feed_alone_go_with_their_keys(
    feeds_db: Database, monkeypatch: pytest.MonkeyPatch, portion: int
) -> None:
    monkeypatch.setattr(clearing, "PORTION", portion)
    fill(feeds_db)
    assert clear_stories(feeds_db, 1) == 3
    assert ids(feeds_db, models.stories) == [4, 5]
    assert ids(feeds_db, models.story_refs) == [4, 5]
    assert {key[0] for key in ids(feeds_db, models.story_keys)} == {4, 5}
    assert clear_stories(feeds_db, 1) == 0


def test_its_next_document_is_read_again(feeds_db: Database) -> None:
    fill(feeds_db)
    clear_stories(feeds_db, 1)
    columns = [models.feeds.c[name] for name in READ]
    with feeds_db.reading() as connection:
        cleared, other = connection.execute(select(*columns).order_by(models.feeds.c.id)).all()
    assert list(cleared) == [None, None, None, None, 0, None, False, None, None]
    assert other._asdict() == READ


def test_a_feed_without_stories_is_read_again_too(feeds_db: Database) -> None:
    put(feeds_db, models.feeds, a_feed(1, last_fetch_hash="0123"))
    assert clear_stories(feeds_db, 1) == 0
    with feeds_db.reading() as connection:
        assert connection.scalar(select(models.feeds.c.last_fetch_hash)) is None
