"""Deleting old counts, on each kind of database."""

from datetime import date, timedelta

import pytest

from indexer.errors import StorageError
from indexer.pipeview.pruning import MESSAGE_DAYS, PrunedCrumbs, prune
from indexer.pipeview.store import CrumbStore
from tests.pipeview.counted import TODAY, a_crumb, put, rows


def days(store: CrumbStore, feed: int | None) -> list[object]:
    """Return the days of a feed."""
    return [row[0] for row in rows(store, "date", feed_id=feed)]


@pytest.fixture
def filled(store: CrumbStore) -> CrumbStore:
    """A feed with four days, one with two days long ago, and rows without a feed."""
    crumbs = [
        *(a_crumb(day=f"2026-01-{day}", feed=1) for day in (10, 12, 13, 15)),
        a_crumb("busy", day="2026-01-10", feed=1),
        *(a_crumb(day=f"2020-01-0{day}", feed=2) for day in (1, 2)),
        *(a_crumb(day=f"2026-01-{day}", feed=None) for day in (10, 13, 14)),
    ]
    put(store, *crumbs, *crumbs)
    return store


def test_of_each_feed_its_last_days_stay(filled: CrumbStore) -> None:
    pruned = prune(filled.database, 2, TODAY, delete=True)
    assert days(filled, 1) == ["2026-01-13", "2026-01-15"]
    assert days(filled, 2) == ["2020-01-01", "2020-01-02"]
    assert days(filled, None) == ["2026-01-13", "2026-01-14"]
    assert pruned == PrunedCrumbs(rows=4, stories=8, feed_days=2, days=1)


def test_a_dry_run_reports_the_same_and_deletes_nothing(filled: CrumbStore) -> None:
    before = rows(filled, "date", "feed_id", "status")
    pruned = prune(filled.database, 2, TODAY, delete=False)
    assert pruned == PrunedCrumbs(rows=4, stories=8, feed_days=2, days=1)
    assert rows(filled, "date", "feed_id", "status") == before
    assert prune(filled.database, 2, TODAY, delete=True) == pruned


def test_a_dry_run_only_reads(filled: CrumbStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(filled.database.__class__, "writing")
    assert prune(filled.database, 2, TODAY, delete=False).rows == 4


def test_a_second_pruning_finds_nothing(filled: CrumbStore) -> None:
    prune(filled.database, 1, TODAY, delete=True)
    assert prune(filled.database, 1, TODAY, delete=True) == PrunedCrumbs()


def test_more_than_a_portion_is_pruned(store: CrumbStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.pipeview.pruning.PORTION", 7)
    first = date(2020, 1, 1)
    past = [(first + timedelta(days=number)).isoformat() for number in range(20)]
    put(store, *(a_crumb(day=day, feed=feed) for day in past for feed in (1, 2, None)))
    pruned = prune(store.database, 1, TODAY, delete=True)
    assert pruned == PrunedCrumbs(rows=58, stories=58, feed_days=38, days=20)
    assert rows(store, "date", "feed_id") == [(past[-1], 1, 1, 1), (past[-1], 2, 1, 1)]


def test_messages_that_will_not_come_again_are_forgotten(store: CrumbStore) -> None:
    long_ago = TODAY - timedelta(days=MESSAGE_DAYS + 1)
    put(store, a_crumb(), id="old", today=long_ago)
    put(store, a_crumb(), id="new")
    assert prune(store.database, 90, TODAY, delete=False).messages == 1
    assert prune(store.database, 90, TODAY, delete=True).messages == 1
    assert put(store, a_crumb(), id="old")
    assert not put(store, a_crumb(), id="new")


def test_a_failed_portion_leaves_earlier_portions_deleted(
    filled: CrumbStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.pipeview.pruning._OF_NO_FEED", None)
    with pytest.raises(StorageError):
        prune(filled.database, 2, TODAY, delete=True)
    assert days(filled, 1) == ["2026-01-13", "2026-01-15"]
    assert len(days(filled, None)) == 3
