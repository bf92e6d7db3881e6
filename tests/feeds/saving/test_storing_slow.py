"""Savers that store items at the same time. One saver alone: `test_saving`, `test_deciding`."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date

import pytest
from sqlalchemy import update

from indexer.database import Database
from indexer.feeds.attempt import Attempt, ItemCounts, Poll
from indexer.feeds.models import story_keys
from indexer.feeds.saving.storing import store_items
from indexer.feeds.store import open_feeds
from tests.feeds.rows import NOW, fetched, item, later
from tests.patience import PATIENCE

pytestmark = pytest.mark.external


def attempt(feed: int, *numbers: int) -> Attempt:
    poll = Poll(feed_id=feed, url="https://news.example/feed", lease="x", expires=later(60))
    return fetched(poll, [item(number, guid=f"{feed}-{number}") for number in numbers])


def store(database: Database, attempt: Attempt) -> ItemCounts:
    with database.writing() as connection:
        (stored,) = store_items(database, connection, [attempt], NOW, 7)
    return stored.counts


def test_a_saver_that_waited_counts_what_the_other_stored_as_duplicates(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_feeds(postgresql_url)) as database, ThreadPoolExecutor(1) as pool:
        waits = threading.Event()
        wait = Database.lock

        def telling(*given: object) -> None:
            waits.set()
            wait(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(Database, "lock", telling)
        with database.writing() as connection:
            store_items(database, connection, [attempt(1, 1, 2)], NOW, 7)
            second = pool.submit(store, database, attempt(2, 1, 3))
            assert waits.wait(PATIENCE)
        assert second.result().reasons == {"dupurl2": 1, "ok": 1}


def test_savers_that_renew_the_same_keys_do_not_deadlock(
    postgresql_url: str,
) -> None:
    with closing(open_feeds(postgresql_url)) as database:
        store(database, attempt(1, *range(1000)))
        for _ in range(3):
            with database.writing() as connection:
                connection.execute(update(story_keys).values(seen_on=date(2020, 1, 1)))
            with ThreadPoolExecutor(4) as pool:
                attempts = [attempt(1, *range(1000), 2000 + n) for n in range(4)]
                results = [*pool.map(lambda each: store(database, each), attempts)]
        assert all(result.duplicates >= 1000 for result in results)
