"""The statistics of a database."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from indexer.database import Database
from indexer.feeds import models
from indexer.feeds.polling.statistics import Statistics, is_silent, measure, report
from indexer.metrics import attached
from tests.feeds.stored import TODAY, a_feed, a_ref, a_story, ids, put
from tests.metrics.sinks import Heard

MINUTE = timedelta(minutes=1)


def feeds(database: Database, *rows: dict[str, Any]) -> None:
    """Write feeds with different columns."""
    for number, row in enumerate(rows, 1):
        put(database, models.feeds, a_feed(number, **row))


def test_feeds_that_are_due_are_counted_with_their_age(feeds_db: Database) -> None:
    due = [{"next_fetch_attempt": TODAY - number * MINUTE} for number in range(100)]
    others: list[dict[str, Any]] = [
        {"next_fetch_attempt": TODAY + MINUTE},
        # As soon as possible: such a feed has no waiting time.
        {"next_fetch_attempt": None},
        {"next_fetch_attempt": TODAY - 999 * MINUTE, "active": False},
        {"next_fetch_attempt": TODAY - 999 * MINUTE, "system_enabled": False},
        {"next_fetch_attempt": TODAY - 999 * MINUTE, "removed_at": TODAY},
    ]
    feeds(feeds_db, *due, *others)
    found = measure(feeds_db, TODAY)
    assert found.ready == 101
    assert {name: seconds // 60 for name, seconds in found.ready_age.items()} == {
        "p50": 50 - 1,
        "p95": 95 - 1,
        "p99": 99 - 1,
        "max": 99,
    }


def test_leased_and_deferred_feeds_are_not_due(feeds_db: Database) -> None:
    ago, soon = TODAY - MINUTE, TODAY + MINUTE
    feeds(
        feeds_db,
        {"next_fetch_attempt": ago, "lease_expires": soon, "lease_owner": "a"},
        {"next_fetch_attempt": ago, "lease_expires": ago, "lease_owner": "a"},
        {"next_fetch_attempt": ago, "deferred_until": soon},
        {"next_fetch_attempt": None, "deferred_until": soon},
        {"next_fetch_attempt": soon, "deferred_until": soon},
    )
    found = measure(feeds_db, TODAY)
    assert (found.running, found.ready, found.blocked) == (1, 1, 2)


def test_feeds_and_sources_are_counted_by_status(feeds_db: Database) -> None:
    def tried(status: str | None, source: int | None, hours: float = 1) -> dict[str, Any]:
        attempt = TODAY - timedelta(hours=hours)
        return {"system_status": status, "sources_id": source, "last_fetch_attempt": attempt}

    feeds(
        feeds_db,
        tried("Working", 1),
        tried("Working", 1),
        tried("Working", 2),
        tried("Working", None),
        tried("HTTP 404 Not Found", 1),
        tried("HTTP 404 Nowhere", 1),
        tried("HTTP 503", 3),
        tried("parse error", 2),
        tried("parse error", 2, hours=25),
        tried(None, 2),
    )
    found = measure(feeds_db, TODAY)
    assert found.feeds == {"Working": 4, "HTTP 404": 2, "HTTP 503": 1, "parse error": 1}
    assert found.sources == {"Working": 2, "HTTP 404": 1, "HTTP 503": 1, "parse error": 1}


@pytest.mark.parametrize(
    ("columns", "silent"),
    [
        ({"last_new_stories": TODAY - timedelta(days=8)}, True),
        ({"last_new_stories": TODAY - timedelta(days=6)}, False),
        ({"last_new_stories": TODAY - timedelta(days=61)}, False),
        ({"last_new_stories": None}, False),
        ({"last_new_stories": TODAY - timedelta(days=8), "system_status": "HTTP 404"}, False),
        ({"last_new_stories": TODAY - timedelta(days=8), "active": False}, False),
    ],
)
def test_a_silent_feed_works_but_has_no_new_stories(
    feeds_db: Database, columns: dict[str, Any], silent: bool
) -> None:
    feeds(feeds_db, {"system_status": "Working", **columns})
    assert measure(feeds_db, TODAY).silent == silent
    with feeds_db.reading() as connection:
        chosen = models.feeds.select().where(is_silent(TODAY))
        assert len(connection.execute(chosen).all()) == silent


def found_after(delay: timedelta | None, number: int) -> dict[str, Any]:
    """A story of today, found so long after its publication."""
    fetched = TODAY - timedelta(hours=1)
    return a_story(number, fetched, published_at=None if delay is None else fetched - delay)


def test_the_delay_is_that_of_stories_of_the_last_day(feeds_db: Database) -> None:
    rows = [found_after(number * MINUTE, number) for number in range(200)]
    others = [
        a_story(300, TODAY - timedelta(hours=25)),
        found_after(None, 301),
        # Items of a first document are not late.
        found_after(timedelta(days=8), 302),
    ]
    put(feeds_db, models.stories, *rows, *others)
    delay = {name: seconds / 60 for name, seconds in measure(feeds_db, TODAY).delay.items()}
    assert delay == {"p50": 100, "p95": 190, "p99": 198}


def test_a_future_date_is_no_delay(feeds_db: Database) -> None:
    put(feeds_db, models.stories, found_after(timedelta(hours=-5), 1))
    assert measure(feeds_db, TODAY).delay == {"p50": 0.0, "p95": 0.0, "p99": 0.0}


def test_the_domains_with_most_stories_of_the_last_day(feeds_db: Database) -> None:
    domains = [f"site{number}.example" for number in range(15) for _ in range(number)]
    hour = TODAY - timedelta(hours=1)
    rows = [a_story(number, hour, domain=domain) for number, domain in enumerate(domains, 1)]
    old = [a_story(500 + number, TODAY - timedelta(days=2)) for number in range(50)]
    put(feeds_db, models.stories, *rows, *old, a_story(900, hour, domain=""))
    assert measure(feeds_db, TODAY).top_domains == [*range(14, 4, -1)]


def test_stories_and_refs_are_counted(feeds_db: Database) -> None:
    put(feeds_db, models.stories, *(a_story(number) for number in (3, 5, 8)))
    put(feeds_db, models.story_refs, *(a_ref(story, TODAY) for story in (3, 5)))
    found = measure(feeds_db, TODAY)
    assert (found.stories, found.refs, found.max_id) == (3, 2, 8)
    if feeds_db.is_postgresql:
        with feeds_db.writing() as connection:
            connection.exec_driver_sql("ANALYZE")
        assert measure(feeds_db, TODAY).stories == 3
    assert len(ids(feeds_db, models.stories)) == 3


def test_an_empty_database_has_no_statistics(feeds_db: Database) -> None:
    nothing = dict.fromkeys(("p50", "p95", "p99", "max"), 0.0)
    assert measure(feeds_db, TODAY) == Statistics(ready_age=nothing, top_domains=[])


def test_the_gauges_have_the_names_of_dashboards() -> None:
    found = Statistics(
        ready=1,
        running=2,
        blocked=3,
        silent=4,
        ready_age={"p95": 5.0},
        feeds={"Working": 6},
        sources={"HTTP 404": 7},
        max_id=8,
        stories=9,
        refs=10,
        top_domains=[20, 10],
        delay={"p99": 11.0},
    )
    with attached(heard := Heard()):
        report(found)
    assert {(name, *labels): value for name, value, labels in heard.numbers} == {
        ("db.ready",): 1,
        ("db.running",): 2,
        ("hunter.blocked",): 3,
        ("feeds.silent",): 4,
        ("ready-age", "p95"): 5,
        ("feeds.recent", "Working"): 6,
        ("sources.recent", "HTTP 404"): 7,
        ("stories.max-id",): 8,
        ("stories.count",): 9,
        ("story-refs.count",): 10,
        ("stories.top-domain.sum",): 30,
        ("stories.top-domain.avg",): 15,
        ("discovery-delay", "p99"): 11,
    }


def test_unknown_values_set_no_gauge() -> None:
    with attached(heard := Heard()):
        report(Statistics())
    assert {name for name, _, _ in heard.numbers}.isdisjoint(
        {"discovery-delay", "stories.top-domain.avg", "feeds.recent"}
    )


def test_times_are_not_converted(feeds_db: Database) -> None:
    put(feeds_db, models.feeds, a_feed(1, next_fetch_attempt=datetime(2026, 1, 15, 11, 59, 59)))
    assert measure(feeds_db, TODAY).ready_age["max"] == 1.0
