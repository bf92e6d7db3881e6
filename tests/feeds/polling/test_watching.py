"""Progress of polling, on each database."""

from datetime import datetime, timedelta
from typing import Any

from indexer.database import Database
from indexer.feeds.models import feeds, fetch_events, stories
from indexer.feeds.polling.watching import Standing, Watch

NOW = datetime(2026, 11, 21, 12)
SOON = NOW + timedelta(minutes=4)
HOUR = timedelta(hours=1)


def add_feeds(database: Database, *rows: dict[str, Any]) -> None:
    with database.writing() as connection:
        for number, row in enumerate(rows, 1):
            connection.execute(feeds.insert(), {"id": number, **row})


def add_events(database: Database, *events: tuple[str, str]) -> None:
    with database.writing() as connection:
        for event, note in events:
            row = {"feed_id": 1, "event": event, "note": note, "created_at": NOW}
            connection.execute(fetch_events.insert(), row)


def look(watch: Watch) -> Watch:
    watch.look(NOW)
    return watch


def test_feeds_are_due_leased_or_waiting(feeds_db: Database) -> None:
    add_feeds(
        feeds_db,
        {},
        {"next_fetch_attempt": NOW - HOUR},
        {"next_fetch_attempt": SOON},
        {"lease_expires": NOW + HOUR},
        {"active": False},
        {"removed_at": NOW},
        {"system_enabled": False},
    )
    assert look(Watch(feeds_db, NOW)).standing == Standing(4, 2, 1, datetime(1970, 1, 1))


def test_the_next_poll_is_that_of_the_first_waiting_feed(feeds_db: Database) -> None:
    add_feeds(feeds_db, {"next_fetch_attempt": SOON}, {"next_fetch_attempt": NOW + HOUR})
    assert look(Watch(feeds_db, NOW)).standing == Standing(2, 0, 0, SOON)


def test_without_feeds_nothing_is_due(feeds_db: Database) -> None:
    assert look(Watch(feeds_db, NOW)).standing == Standing()


def test_only_later_results_are_counted_and_once(feeds_db: Database) -> None:
    add_events(feeds_db, ("fetch_succeeded", "not modified"))
    watch = Watch(feeds_db, NOW)
    add_events(
        feeds_db,
        ("fetch_succeeded", "0 skipped / 0 dup / 1 added"),
        ("fetch_failed", "HTTP 404; Not Found"),
        ("fetch_failed", "HTTP 404; gone fishing"),
        ("fetch_disabled", "read timeout"),
        ("queued", ""),
    )
    with feeds_db.writing() as connection:
        connection.execute(stories.insert(), [{"identity": "a"}, {"identity": "b"}])
    for _ in range(2):
        look(watch)
        assert watch.fetched == 1
        assert watch.failures == {"HTTP 404": 2, "read timeout": 1}
        assert watch.new_stories == 2


def test_a_feed_is_still_due_until_it_was_polled(feeds_db: Database) -> None:
    add_feeds(
        feeds_db,
        {},
        {"next_fetch_attempt": NOW - HOUR},
        {"next_fetch_attempt": SOON},
        {"next_fetch_attempt": SOON, "lease_expires": NOW + HOUR},
        {"deferred_until": NOW + 2 * HOUR},
        {"active": False},
    )
    assert Watch(feeds_db, NOW).still_due(NOW, NOW + HOUR) == 3
