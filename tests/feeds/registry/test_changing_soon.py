"""Requests to fetch feeds soon."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from indexer.database import Database
from indexer.feeds import models
from indexer.feeds.registry.changing import fetch_failing_soon, fetch_feed_soon, fetch_source_soon
from tests.feeds.served import NOW, a_feed, add

LATER = datetime(2026, 12, 1)
TIRED = {"next_fetch_attempt": LATER, "last_fetch_failures": 31.5, "deferred_until": LATER}


def feed(database: Database, id: int = 1) -> Mapping[Any, Any]:
    with database.reading() as connection:
        statement = select(models.feeds).where(models.feeds.c.id == id)
        return connection.execute(statement).mappings().one()


def events(database: Database) -> list[tuple[Any, ...]]:
    """The feed and the time of each request."""
    found = models.fetch_events.c
    statement = select(found.feed_id, found.event, found.created_at).order_by(found.id)
    with database.reading() as connection:
        return [tuple(row) for row in connection.execute(statement)]


def test_a_feed_is_ready_at_once_and_its_failures_are_reset(feeds_db: Database) -> None:
    add(feeds_db, models.feeds, a_feed(1, system_enabled=False, active=False, **TIRED), a_feed(2))
    assert fetch_feed_soon(feeds_db, 1, NOW) == 1
    row = feed(feeds_db)
    assert (row["next_fetch_attempt"], row["deferred_until"]) == (None, None)
    assert (row["last_fetch_failures"], row["system_enabled"], row["active"]) == (0, True, False)
    assert row["ready_at"] <= NOW
    assert events(feeds_db) == [(1, "queued", NOW)]


@pytest.mark.parametrize("changed", [{"queued": True}, {"removed_at": NOW}, {"id": 2}])
def test_queued_and_unknown_feeds_are_not_changed(
    feeds_db: Database, changed: dict[str, Any]
) -> None:
    add(feeds_db, models.feeds, a_feed(1, **TIRED) | changed)
    assert fetch_feed_soon(feeds_db, 1, NOW) == fetch_source_soon(feeds_db, 7, NOW) == 0
    row = feed(feeds_db, changed.get("id", 1))
    assert (row["next_fetch_attempt"], row["last_fetch_failures"]) == (LATER, 31.5)
    assert events(feeds_db) == []


def test_a_feed_with_an_expired_lease_is_not_queued(feeds_db: Database) -> None:
    lost = {"queued": True, "lease_owner": "killed", "lease_expires": NOW}
    held = lost | {"lease_expires": NOW + timedelta(seconds=1)}
    # The feed was deactivated during its attempt: no scheduler claims it again.
    off = {"system_enabled": False}
    add(feeds_db, models.feeds, a_feed(1, **off, **TIRED, **lost), a_feed(2, **TIRED, **held))
    assert (fetch_feed_soon(feeds_db, 1, NOW), fetch_feed_soon(feeds_db, 2, NOW)) == (1, 0)
    row = feed(feeds_db)
    assert (row["queued"], row["lease_owner"], row["lease_expires"]) == (False, None, None)
    assert (row["system_enabled"], row["next_fetch_attempt"]) == (True, None)


def test_all_feeds_that_fail_are_ready_at_once_and_disabled_ones_stay_so(
    feeds_db: Database,
) -> None:
    well = TIRED | {"last_fetch_failures": 0.0}
    off = a_feed(3, system_enabled=False, **TIRED)
    add(feeds_db, models.feeds, a_feed(1, **TIRED), a_feed(2, **well), off)
    assert fetch_failing_soon(feeds_db, NOW) == 1
    assert [feed(feeds_db, id)["next_fetch_attempt"] for id in (1, 2, 3)] == [None, LATER, LATER]
    assert (feed(feeds_db, 1)["last_fetch_failures"], feed(feeds_db, 3)["system_enabled"]) == (0, 0)
    assert events(feeds_db) == [(1, "queued", NOW)]


def test_the_feeds_of_a_source_are_spread_over_three_hours(feeds_db: Database) -> None:
    ids = [1, 35, 36, 71, 72]
    add(
        feeds_db,
        models.feeds,
        *(a_feed(id, **TIRED) for id in ids),
        a_feed(5, active=False, system_enabled=False, **TIRED),
        a_feed(6, queued=True, **TIRED),
        a_feed(7, sources_id=4, **TIRED),
        a_feed(8, removed_at=NOW, **TIRED),
    )
    assert fetch_source_soon(feeds_db, 3, NOW) == 6
    waits = {id: feed(feeds_db, id)["next_fetch_attempt"] - NOW for id in ids}
    minutes = {1: 5, 35: 175, 36: 0, 71: 175, 72: 0}
    assert waits == {id: timedelta(minutes=wait) for id, wait in minutes.items()}
    given_up = feed(feeds_db, 5)
    assert given_up["next_fetch_attempt"] == NOW + timedelta(minutes=25)
    assert (given_up["active"], given_up["system_enabled"]) == (False, False)
    assert given_up["last_fetch_failures"] == 31.5
    assert feed(feeds_db, 1)["deferred_until"] is None
    assert {feed(feeds_db, id)["next_fetch_attempt"] for id in (6, 7, 8)} == {LATER}
    assert events(feeds_db) == [(id, "queued", NOW) for id in (1, 5, 35, 36, 71, 72)]
