"""Many feeds, and several schedulers that claim them at once."""

import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

from sqlalchemy import update

from indexer.database import Database
from indexer.feeds.attempt import Poll
from indexer.feeds.models import feeds
from tests.feeds.polling.test_claiming import claims, ids
from tests.feeds.rows import NOW, add_feeds, later


def test_all_of_a_crowded_source_get_their_turn(feeds_db: Database) -> None:
    add_feeds(feeds_db, [{"sources_id": 7} for _ in range(20)])
    scheduler = claims(feeds_db, lease_seconds=10)
    turns: Counter[int] = Counter()
    for second in range(0, 600, 5):
        polls = scheduler.claim(later(second), 10)
        assert len(polls) <= 2
        turns.update(poll.feed_id for poll in polls)
        release(feeds_db, polls, later(second + 3600))
    assert turns == Counter(range(1, 21))


def release(database: Database, polls: Sequence[Poll], until: datetime) -> None:
    """Release feeds, as the saver does."""
    with database.writing() as connection:
        for poll in polls:
            connection.execute(
                update(feeds)
                .where(feeds.c.id == poll.feed_id)
                .values(lease_expires=None, lease_owner=None, next_fetch_attempt=until)
            )


def test_no_two_schedulers_claim_the_same_feed(feeds_db: Database) -> None:
    add_feeds(feeds_db, [{"sources_id": number % 20} for number in range(200)])
    barrier = threading.Barrier(4)

    def claim(_: int) -> list[Poll]:
        scheduler = claims(feeds_db)
        barrier.wait()
        return [poll for _ in range(5) for poll in scheduler.claim(NOW, 10)]

    with ThreadPoolExecutor(4) as pool:
        polls = [poll for found in pool.map(claim, range(4)) for poll in found]
    assert len(ids(polls)) == len(set(ids(polls)))
    assert max(Counter(poll.sources_id for poll in polls if poll.sources_id).values()) <= 2
