"""The rows that are deleted and those that are kept, on each database."""

from datetime import datetime, time, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from indexer.database import Database
from indexer.errors import ConfigurationError
from indexer.feeds import models
from indexer.feeds.saving.retention import PrunedFeeds, RetentionOptions, prune
from indexer.feeds.store import open_feeds
from tests.feeds.stored import TODAY, a_feed, a_ref, a_story, count, ids, put

OPTIONS = RetentionOptions()
START = datetime.combine(TODAY.date(), time.min)
DELETED = START - timedelta(days=14, microseconds=1)
KEPT = START - timedelta(days=14)


def an_event(feed: int, number: int) -> dict[str, Any]:
    created = TODAY - timedelta(minutes=number)
    return {"id": number, "feed_id": feed, "event": "fetch_succeeded", "created_at": created}


def a_key(number: int, days: int, story: int | None = None) -> dict[str, Any]:
    """A key last seen so many days ago."""
    seen = TODAY.date() - timedelta(days=days)
    return {"key": number.to_bytes(16), "story_id": story or number, "seen_on": seen}


def pruned(database: Database, **options: Any) -> PrunedFeeds:
    """Prune, and check that a dry run before counts the same rows."""
    given = OPTIONS.model_copy(update=options)
    before = count(database)
    told = prune(database, given, TODAY, delete=False)
    assert count(database) == before
    assert prune(database, given, TODAY, delete=True) == told
    return told


def test_the_newest_events_of_each_feed_are_kept(feeds_db: Database) -> None:
    # The newest by id, as clocks may go back.
    rows = [an_event(feed, 10 * number + feed) for number in range(1, 8) for feed in (1, 2)]
    put(feeds_db, models.fetch_events, *rows, an_event(3, 1))
    assert pruned(feeds_db, fetch_event_rows=3) == PrunedFeeds(events=8)
    assert ids(feeds_db, models.fetch_events) == [1, 51, 52, 61, 62, 71, 72]


@pytest.mark.parametrize(
    ("seen_at", "options", "stays"),
    [
        (KEPT, {}, True),
        (DELETED, {}, False),
        (START - timedelta(days=7), {"rss_output_days": 3}, True),
        (START - timedelta(days=7, microseconds=1), {"rss_output_days": 3}, False),
        (START - timedelta(days=90), {"rss_output_days": 90}, True),
        (DELETED, {"normalized_title_days": 15}, True),
    ],
)
def test_a_story_is_kept_while_a_feed_shows_it_and_some_days_more(
    feeds_db: Database, seen_at: datetime, options: dict[str, int], stays: bool
) -> None:
    put(feeds_db, models.stories, a_story(1, START - timedelta(days=100)))
    put(feeds_db, models.story_refs, a_ref(1, seen_at))
    assert pruned(feeds_db, **options) == (
        PrunedFeeds() if stays else PrunedFeeds(refs=1, stories=1)
    )
    assert ids(feeds_db, models.stories) == ([1] if stays else [])


def test_a_story_that_another_feed_still_shows_stays(feeds_db: Database) -> None:
    put(feeds_db, models.stories, a_story(1, DELETED), a_story(2, DELETED))
    refs = [a_ref(1, DELETED, 1), a_ref(1, KEPT, 2), a_ref(2, DELETED, 1)]
    put(feeds_db, models.story_refs, *refs)
    assert pruned(feeds_db) == PrunedFeeds(refs=2, stories=1)
    assert ids(feeds_db, models.stories) == [1]


def test_an_old_story_without_refs_is_deleted(feeds_db: Database) -> None:
    put(feeds_db, models.stories, a_story(1, DELETED), a_story(2, KEPT))
    assert pruned(feeds_db) == PrunedFeeds(stories=1)
    assert ids(feeds_db, models.stories) == [2]


def test_stories_of_a_deleted_feed_age_out(feeds_db: Database) -> None:
    put(feeds_db, models.stories, a_story(1, KEPT, feed_id=99))
    put(feeds_db, models.story_refs, a_ref(1, KEPT, 99))
    assert pruned(feeds_db) == PrunedFeeds()
    tomorrow = TODAY + timedelta(days=1)
    assert prune(feeds_db, OPTIONS, tomorrow, delete=True) == PrunedFeeds(refs=1, stories=1)


def test_keys_are_kept_when_their_story_is_deleted(feeds_db: Database) -> None:
    put(feeds_db, models.stories, a_story(1, DELETED))
    put(feeds_db, models.story_refs, a_ref(1, DELETED))
    put(feeds_db, models.story_keys, a_key(1, 15))
    assert pruned(feeds_db) == PrunedFeeds(refs=1, stories=1)
    assert len(ids(feeds_db, models.story_keys)) == 1


def test_keys_not_seen_for_years_are_deleted(feeds_db: Database) -> None:
    put(feeds_db, models.story_keys, a_key(1, 730), a_key(2, 731), a_key(3, 4000))
    assert pruned(feeds_db) == PrunedFeeds(keys=2)
    assert ids(feeds_db, models.story_keys) == [(1).to_bytes(16)]


def test_keys_of_existing_stories_are_never_deleted(feeds_db: Database) -> None:
    put(feeds_db, models.stories, a_story(1, DELETED))
    put(feeds_db, models.story_refs, a_ref(1, KEPT))
    put(feeds_db, models.story_keys, a_key(10, 4000, story=1), a_key(11, 4000, story=2))
    assert pruned(feeds_db) == PrunedFeeds(keys=1)
    assert ids(feeds_db, models.story_keys) == [(10).to_bytes(16)]


@pytest.mark.parametrize(
    ("next_start", "blocked_until", "stays"),
    [
        (timedelta(hours=-25), None, False),
        (None, None, False),
        (timedelta(hours=-23), None, True),
        (timedelta(hours=1), None, True),
        (timedelta(days=-9), timedelta(hours=80), True),
        (timedelta(days=-9), timedelta(days=-2), False),
        (None, timedelta(hours=-1), True),
    ],
)
def test_paces_not_used_for_a_day_are_deleted(
    feeds_db: Database,
    next_start: timedelta | None,
    blocked_until: timedelta | None,
    stays: bool,
) -> None:
    start, until = (TODAY + each if each else None for each in (next_start, blocked_until))
    put(feeds_db, models.paces, {"key": "host:a", "next_start": start, "blocked_until": until})
    assert pruned(feeds_db) == PrunedFeeds(paces=0 if stays else 1)
    assert len(ids(feeds_db, models.paces)) == stays


def much(database: Database, number: int = 30) -> PrunedFeeds:
    """Add old rows to each table; return the counts to prune."""
    put(database, models.feeds, a_feed(1))
    old = [DELETED - timedelta(minutes=each // 7) for each in range(number)]
    put(database, models.stories, *(a_story(each, when) for each, when in enumerate(old, 1)))
    put(database, models.story_refs, *(a_ref(each, when) for each, when in enumerate(old, 1)))
    put(database, models.story_keys, *(a_key(1000 + each, 1000) for each in range(number)))
    put(database, models.fetch_events, *(an_event(1, 1 + each) for each in range(number + 30)))
    put(database, models.paces, *({"key": f"host:{each}"} for each in range(number)))
    return PrunedFeeds(number, number, number, number, number)


def test_a_dry_run_only_reads(feeds_db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    there = much(feeds_db)
    monkeypatch.delattr(Database, "writing")
    assert prune(feeds_db, OPTIONS, TODAY, delete=False) == there


@pytest.mark.external
def test_a_locked_ref_is_left_for_the_next_run(postgresql_url: str) -> None:
    database = open_feeds(postgresql_url)
    put(database, models.stories, a_story(1, DELETED), a_story(2, DELETED))
    put(database, models.story_refs, a_ref(1, DELETED), a_ref(2, DELETED))
    with database.writing() as connection:
        held = select(models.story_refs).where(models.story_refs.c.story_id == 1)
        connection.execute(held.with_for_update())
        # Must not wait for the lock.
        assert prune(database, OPTIONS, TODAY, delete=True) == PrunedFeeds(refs=1, stories=1)
    assert prune(database, OPTIONS, TODAY, delete=True) == PrunedFeeds(refs=1, stories=1)
    database.close()


@pytest.mark.external
def test_postgresql_finds_old_rows_by_indexes(postgresql_url: str) -> None:
    database = open_feeds(postgresql_url)
    young = [TODAY - timedelta(minutes=each) for each in range(3000)]
    put(database, models.stories, *(a_story(each, when) for each, when in enumerate(young)))
    put(database, models.story_refs, *(a_ref(each, when) for each, when in enumerate(young)))
    put(database, models.story_keys, *(a_key(each, 3) for each in range(3000)))
    with database.writing() as connection:
        connection.exec_driver_sql("ANALYZE")
    scanned = "SELECT sum(seq_scan) FROM pg_stat_xact_user_tables WHERE relname ~ '^stor'"
    with database.writing() as connection:
        before = connection.exec_driver_sql(scanned).scalar()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(database, "reading", lambda: _Same(connection))
            prune(database, OPTIONS, TODAY, delete=False)
        assert connection.exec_driver_sql(scanned).scalar() == before
    database.close()


class _Same:
    """A transaction that continues afterwards."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def __enter__(self) -> Any:
        return self._connection

    def __exit__(self, *error: object) -> None:
        pass


@pytest.mark.parametrize(
    "variables",
    [
        {"FETCH_EVENT_ROWS": "0"},
        {"RSS_OUTPUT_DAYS": "many"},
        # Keys are renewed only once a month, so fewer days would lose them.
        {"TOMBSTONE_DAYS": "30"},
    ],
)
def test_options_that_cannot_work_are_refused(variables: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError, match="--"):
        RetentionOptions.of(variables)


def test_an_empty_database_has_nothing_to_prune(feeds_db: Database) -> None:
    assert pruned(feeds_db) == PrunedFeeds()
    with feeds_db.reading() as connection:
        assert connection.scalar(select(func.count()).select_from(models.feeds)) == 0
