"""Retention of many rows, interrupted, and beside other transactions."""

import threading
from typing import Any

import pytest
from sqlalchemy import event as sql_event

from indexer.database import Database
from indexer.errors import StorageError
from indexer.feeds import models
from indexer.feeds.saving import retention
from indexer.feeds.saving.retention import PrunedFeeds, prune
from tests.feeds.saving.test_retention import OPTIONS, an_event, much, pruned
from tests.feeds.stored import TODAY, count, ids, put
from tests.patience import PATIENCE


def test_events_are_ranked_a_few_feeds_at_a_time(
    feeds_db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "FEEDS", 3)
    monkeypatch.setattr(retention, "EVENTS", 5)
    monkeypatch.setattr(retention, "PORTION", 2)
    rows = [an_event(feed, 1000 * feed + number) for feed in range(1, 11) for number in range(7)]
    put(feeds_db, models.fetch_events, *rows)
    assert pruned(feeds_db, fetch_event_rows=4) == PrunedFeeds(events=30)
    assert len(ids(feeds_db, models.fetch_events)) == 40


def test_there_are_no_long_transactions(
    feeds_db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "PORTION", 4)
    there = much(feeds_db)
    deleted: list[int] = []

    def counted(*args: Any) -> None:
        cursor, statement = args[1], args[2]
        if statement.startswith("DELETE"):
            deleted.append(cursor.rowcount)

    sql_event.listen(feeds_db._engine, "after_cursor_execute", counted)
    progress: list[int] = []
    done = prune(
        feeds_db, OPTIONS, TODAY, delete=True, progress=lambda now: progress.append(now.events)
    )
    assert done == there
    assert sum(deleted) == 150
    assert max(deleted) <= 4
    assert len(progress) == len(deleted)
    assert prune(feeds_db, OPTIONS, TODAY, delete=True) == PrunedFeeds()


def test_an_interrupted_run_is_continued_by_the_next(
    feeds_db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "PORTION", 4)
    there = much(feeds_db)
    steps = iter(range(20))

    def stop(_: PrunedFeeds) -> None:
        if next(steps, None) is None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prune(feeds_db, OPTIONS, TODAY, delete=True, progress=stop)
    rest = prune(feeds_db, OPTIONS, TODAY, delete=True)
    assert rest != there
    assert (rest.events, rest.keys, rest.paces) == (0, 30, 30)
    assert count(feeds_db) == 31


def test_several_may_prune_at_once(feeds_db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "PORTION", 5)
    much(feeds_db, 100)
    results: list[PrunedFeeds | StorageError] = []

    def run() -> None:
        try:
            results.append(prune(feeds_db, OPTIONS, TODAY, delete=True))
        except StorageError as error:
            results.append(error)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert [each for each in results if not isinstance(each, PrunedFeeds)] == []
    assert prune(feeds_db, OPTIONS, TODAY, delete=False) == PrunedFeeds()
    done = [each for each in results if isinstance(each, PrunedFeeds)]
    assert (sum(each.events for each in done), sum(each.stories for each in done)) == (100, 100)
