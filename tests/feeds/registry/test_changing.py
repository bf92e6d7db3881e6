"""Changes of feeds by an operator."""

import random
from datetime import timedelta
from typing import Any

import pytest

from indexer.database import Database
from indexer.errors import ConfigurationError
from indexer.feeds.models import stories
from indexer.feeds.registry import changing
from tests.feeds.rows import NOW, add_feeds, all_stories, events, feed, later

OLD, NEW = "https://old.example/feed", "https://news.new.org/feed"

KNOWN: dict[str, Any] = {
    "url": OLD,
    "name": "News",
    "sources_id": 7,
    "poll_minutes_override": 30,
    "last_fetch_hash": "0" * 32,
    "last_fetch_failures": 4.5,
    "http_etag": '"1"',
    "http_last_modified": "yesterday",
    "http_304": True,
    "next_fetch_attempt": later(99_999),
    "deferred_until": later(99_999),
    "queued": True,
    "lease_owner": "a-1",
    "lease_expires": later(60),
    "system_enabled": False,
    "update_minutes": 60,
    "poll_minutes": 60,
    "final_url": OLD,
    "validators_url": OLD,
    "validators_trusted": False,
    "validators_doubts": 1,
    "not_modified_count": 3,
    "full_fetch_at": NOW,
    "redirect_url": NEW,
    "redirect_count": 2,
    "redirect_since": NOW,
    "adopted_url": NEW,
    "gone_at": NOW,
    "rate": "{}",
    "missed_alarms": 1,
}


def test_a_feed_with_another_url_starts_anew(feeds_db: Database) -> None:
    add_feeds(feeds_db, [KNOWN, {"url": NEW, "host": "news.new.org", "domain": "new.org"}])
    assert changing.set_url(feeds_db, 1, NEW)
    found, fresh = feed(feeds_db), feed(feeds_db, 2)
    differing = {
        name
        for name in found.__struct_fields__
        if getattr(found, name) != getattr(fresh, name) and name != "id"
    }
    # Columns that the directory or the operator sets stay.
    assert differing == {"name", "sources_id", "poll_minutes_override"}


def test_the_same_url_changes_nothing(feeds_db: Database) -> None:
    add_feeds(feeds_db, [KNOWN])
    before = feed(feeds_db)
    assert not changing.set_url(feeds_db, 1, OLD)
    assert not changing.set_url(feeds_db, 2, OLD)
    assert feed(feeds_db) == before


def test_a_feed_that_an_operator_disabled_stays_so_with_another_url(feeds_db: Database) -> None:
    add_feeds(feeds_db, [{"url": OLD, "system_enabled": False}])
    changing.set_url(feeds_db, 1, NEW)
    assert not feed(feeds_db).system_enabled


def test_what_was_adopted_can_be_undone(feeds_db: Database) -> None:
    add_feeds(feeds_db, [KNOWN, {"url": OLD}])
    assert changing.forget_adopted(feeds_db, [1, 2, 3]) == [1]
    found = feed(feeds_db)
    assert (found.fetch_url, found.host, found.http_etag) == (OLD, "old.example", None)
    assert (found.redirect_count, found.poll_minutes) == (0, 60)


def test_disabled_is_disabled_until_it_is_enabled_and_it_is_noted(feeds_db: Database) -> None:
    add_feeds(feeds_db, [{}, {"system_enabled": False}, {}])
    assert changing.disable(feeds_db, [1, 2], NOW, "they\nasked for it") == [1]
    assert [feed(feeds_db, id).system_enabled for id in (1, 2, 3)] == [False, False, True]
    (event,) = events(feeds_db)
    assert event["event"] == "fetch_disabled"
    assert event["note"] == "disabled by the operator; they asked for it"
    assert (event["created_at"], events(feeds_db, 2)) == (NOW, [])
    assert changing.enable(feeds_db, [1, 2, 3]) == [1, 2]


def test_enabled_is_polled_at_once_whoever_had_disabled_it(feeds_db: Database) -> None:
    rows: list[dict[str, Any]] = [
        {"active": False},
        {"system_enabled": False, "last_fetch_failures": 30.0},
        {"gone_at": NOW},
    ]
    late = {"next_fetch_attempt": later(9999), "deferred_until": later(9999)}
    add_feeds(feeds_db, [row | late for row in rows])
    assert changing.enable(feeds_db, [1, 2, 3]) == [1, 2, 3]
    for id in (1, 2, 3):
        found = feed(feeds_db, id)
        assert (found.active, found.system_enabled, found.gone_at) == (True, True, None)
        assert (found.last_fetch_failures, found.next_fetch_attempt) == (0, None)


def test_an_interval_of_the_operators_counts_from_now(feeds_db: Database) -> None:
    add_feeds(feeds_db, [{"next_fetch_attempt": later(seconds)} for seconds in (60, 99_999)])
    add_feeds(feeds_db, [{"id": 3}])
    assert changing.override_interval(feeds_db, [3, 2, 1], 30, NOW) == [1, 2, 3]
    times = [feed(feeds_db, id).next_fetch_attempt for id in (1, 2, 3)]
    assert times == [later(60), later(1800), None]
    changing.override_interval(feeds_db, [1], None, NOW)
    assert [feed(feeds_db, id).poll_minutes_override for id in (1, 2)] == [None, 30]


@pytest.mark.parametrize("minutes", [9, 0, -5, 10_000_000])
def test_an_interval_has_bounds(feeds_db: Database, minutes: int) -> None:
    with pytest.raises(ConfigurationError, match="10 to 527040"):
        changing.override_interval(feeds_db, [1], minutes, NOW)


def test_removed_feeds_are_deleted_later_with_their_events_and_stories_stay(
    feeds_db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changing, "PORTION", 2)
    add_feeds(feeds_db, [{} for _ in range(6)])
    changing.disable(feeds_db, range(1, 7), NOW)
    with feeds_db.writing() as connection:
        connection.execute(stories.insert(), {"feed_id": 1, "identity": "a"})
    assert changing.remove(feeds_db, range(1, 6), NOW) == [1, 2, 3, 4, 5]
    assert changing.remove(feeds_db, [1], later(5)) == []
    assert changing.delete_removed(feeds_db, NOW) == 0
    assert changing.delete_removed(feeds_db, later(1)) == 5
    assert [len(events(feeds_db, id)) for id in (1, 5, 6)] == [0, 0, 1]
    assert len(all_stories(feeds_db)) == 1


def test_a_copied_database_gets_times_at_random(
    feeds_db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changing, "AT_ONCE", 4)
    add_feeds(feeds_db, [{"deferred_until": NOW} for _ in range(10)])
    add_feeds(feeds_db, [{"id": 11, "removed_at": NOW}])
    hours = timedelta(hours=2)
    assert changing.spread(feeds_db, NOW, hours, random.Random(1)) == 10
    times = [feed(feeds_db, id).next_fetch_attempt for id in range(1, 11)]
    assert len({time for time in times if time and NOW <= time <= NOW + hours}) == 10
    assert feed(feeds_db, 11).next_fetch_attempt is None
