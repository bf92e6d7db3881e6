"""Changes of existing feeds, by an operator or by the directory."""

import random
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    case,
    delete,
    false,
    insert,
    or_,
    select,
    true,
    update,
)

from indexer.database import Database
from indexer.errors import ConfigurationError
from indexer.feeds.events import DISABLED, NOTE_LENGTH, QUEUED, request
from indexer.feeds.identity.places import place_of
from indexer.feeds.models import IS_POLLED, NO_SIGHTINGS, NOT_LEASED, UNREAD, feeds, fetch_events
from indexer.feeds.polling.schedule_options import LEAST_MINUTES, MOST_MINUTES
from indexer.feeds.registry.registry import AT_ONCE, LOCK, keep_last_id
from indexer.text.chunks import chunks
from indexer.text.cleaning import one_line

BY_THE_OPERATOR = "disabled by the operator"

PORTION = 500
"""Feeds deleted in one transaction, with their events: it holds the lock of the registry."""

TURNS, TURN = 36, timedelta(minutes=5)
"""The feeds of a source that is fetched soon are spread over three hours."""

_SOON = {"next_fetch_attempt": None, "deferred_until": None}
_WELL = {"last_fetch_failures": 0.0, "gone_at": None}


def moved(url: str) -> dict[str, Any]:
    """Return the columns of a feed that gets this URL: all that belonged to the old URL is reset.

    The feed is polled at once, also if failures had disabled it.
    """
    failed = feeds.c.last_fetch_failures > 0
    host, domain = place_of(url)
    return {
        "url": url,
        "host": host,
        "domain": domain,
        "system_enabled": case((failed, true()), else_=feeds.c.system_enabled),
        "http_304": None,
        "update_minutes": None,
        "poll_minutes": None,
        "final_url": None,
        "final_host": None,
        "validators_trusted": True,
        "validators_doubts": 0,
        "adopted_url": None,
        "rate": None,
        "missed_alarms": 0,
        **UNREAD,
        **NO_SIGHTINGS,
        **_SOON,
        **_WELL,
        # Without its lease an attempt under way is discarded, with the old URL's validators.
        **NOT_LEASED,
    }


def set_url(database: Database, feed_id: int, url: str) -> bool:
    """Give a feed another URL. Returns whether the feed exists and had a different one."""
    # In SQL a comparison with NULL is not true.
    is_other = or_(feeds.c.url.is_(None), feeds.c.url != url)
    statement = update(feeds).where(feeds.c.id == feed_id, is_other).values(moved(url))
    with database.writing() as connection:
        return connection.execute(statement).rowcount > 0


def forget_adopted(database: Database, ids: Sequence[int]) -> list[int]:
    """Fetch feeds from the directory's URL again, not from where redirects led.

    Returns the ids of the feeds that had adopted another URL.
    """
    kept = ("url", "http_304", "update_minutes", "poll_minutes")
    changed: list[int] = []
    with database.writing() as connection:
        for some in chunks(sorted(set(ids)), AT_ONCE):
            chosen = (
                select(feeds.c.id, feeds.c.url)
                .where(database.among(feeds.c.id, some), feeds.c.adopted_url.is_not(None))
                .order_by(feeds.c.id)
                .with_for_update()
            )
            for id, url in connection.execute(chosen).all():
                values = {name: each for name, each in moved(url or "").items() if name not in kept}
                connection.execute(update(feeds).where(feeds.c.id == id).values(values))
                changed.append(id)
    return changed


def spread(
    database: Database, now: datetime, over: timedelta, chance: random.Random | None = None
) -> int:
    """Plan the next poll of all feeds at random within a time. Returns the number of feeds.

    For a database that was copied or restored: its feeds are all due at once.
    """
    numbers = chance or random.Random()  # noqa: S311 - need not be secret
    last, changed = 0, 0
    statement = (
        update(feeds)
        .where(feeds.c.id == bindparam("feed"))
        .values(next_fetch_attempt=bindparam("next"), deferred_until=None)
    )
    while True:
        # In portions: locks on all rows would stop all savers meanwhile.
        chosen = (
            select(feeds.c.id)
            .where(feeds.c.id > last, feeds.c.removed_at.is_(None))
            .order_by(feeds.c.id)
            .limit(AT_ONCE)
            .with_for_update()
        )
        with database.writing() as connection:
            ids = [*connection.scalars(chosen)]
            if not ids:
                return changed
            rows = [{"feed": id, "next": now + over * numbers.random()} for id in ids]
            connection.execute(statement, rows)
        last, changed = ids[-1], changed + len(ids)


def fetch_feed_soon(database: Database, feed_id: int, now: datetime) -> int:
    """Schedule a feed at once (feeds.md 5.7), and enable it if the system disabled it.

    Returns 1, or 0 if the feed does not exist or is queued already. Raises StorageError.
    """
    columns = {"next_fetch_attempt": None, "last_fetch_failures": 0.0, "system_enabled": True}
    return _fetch_soon(database, feeds.c.id == feed_id, columns, now)


def fetch_failing_soon(database: Database, now: datetime) -> int:
    """Schedule all feeds whose last attempt failed at once. Returns the number of feeds.

    Inactive and disabled feeds stay so. Raises StorageError.
    """
    columns = {"next_fetch_attempt": None, "last_fetch_failures": 0.0}
    return _fetch_soon(database, and_(IS_POLLED, feeds.c.last_fetch_failures > 0), columns, now)


def fetch_source_soon(database: Database, sources_id: int, now: datetime) -> int:
    """Schedule all feeds of a source within three hours. Returns the number of feeds.

    Inactive and disabled feeds stay so. Raises StorageError.
    """
    # By id, so that a repeated request does not bring all feeds to the front.
    turns = {turn: now + turn * TURN for turn in range(TURNS)}
    columns = {"next_fetch_attempt": case(turns, value=feeds.c.id % TURNS, else_=now)}
    return _fetch_soon(database, feeds.c.sources_id == sources_id, columns, now)


def _fetch_soon(
    database: Database, chosen: ColumnElement[bool], columns: Mapping[str, Any], now: datetime
) -> int:
    # A queued feed with a valid lease is not changed, as it is fetched soon anyway. A feed that was
    # deactivated while leased keeps `queued`, as no scheduler claims it again.
    is_free = or_(~feeds.c.queued, feeds.c.lease_expires <= now)
    condition = and_(chosen, is_free, feeds.c.removed_at.is_(None))
    # The Retry-After of a host still applies.
    values = {"deferred_until": None, **NOT_LEASED, **columns}
    with database.writing() as connection:
        return len(_change_where(database, connection, condition, values, request(QUEUED, now)))


def enable(database: Database, ids: Sequence[int]) -> list[int]:
    """Enable feeds, for whatever reason they were disabled, and poll them at once.

    Returns the ids of the feeds that were not being polled.
    """
    is_off = or_(
        feeds.c.active == false(), feeds.c.system_enabled == false(), feeds.c.gone_at.is_not(None)
    )
    values = {"active": True, "system_enabled": True, **_SOON, **_WELL}
    return _change(database, ids, is_off, values)


def disable(database: Database, ids: Sequence[int], now: datetime, why: str = "") -> list[int]:
    """Disable feeds, whatever the directory says. Returns the ids of those that were enabled."""
    note = one_line(f"{BY_THE_OPERATOR}; {why}" if why else BY_THE_OPERATOR, NOTE_LENGTH)
    is_on = feeds.c.system_enabled == true()
    return _change(database, ids, is_on, {"system_enabled": False}, request(DISABLED, now, note))


def override_interval(
    database: Database, ids: Sequence[int], minutes: int | None, now: datetime
) -> list[int]:
    """Set an interval that replaces the computed one; None: use the computed one again.

    A next poll that is planned later than one interval from now is moved forward. Returns the ids
    of the feeds. Raises ConfigurationError for an interval out of range.
    """
    values: dict[str, Any] = {"poll_minutes_override": minutes}
    if minutes is not None:
        if not LEAST_MINUTES <= minutes <= MOST_MINUTES:
            raise ConfigurationError(f"an interval has {LEAST_MINUTES} to {MOST_MINUTES} minutes")
        latest = now + timedelta(minutes=minutes)
        planned = feeds.c.next_fetch_attempt
        values["next_fetch_attempt"] = case((planned > latest, latest), else_=planned)
    return _change(database, ids, true(), values)


def remove(database: Database, ids: Sequence[int], now: datetime) -> list[int]:
    """Mark feeds as removed: neither polled nor listed, and restored if they are added again.

    Returns the ids of the feeds that were not removed before.
    """
    return _change(database, ids, feeds.c.removed_at.is_(None), {"removed_at": now})


def delete_removed(database: Database, before: datetime) -> int:
    """Delete the feeds that were removed before a time, with their events, and return the number.

    Their stories stay. Each portion is a transaction of its own: it stays deleted if a later one
    fails.
    """
    old = select(feeds.c.id).where(feeds.c.removed_at < before).order_by(feeds.c.id).limit(PORTION)
    number = 0
    while True:
        with database.writing() as connection:
            database.lock(connection, LOCK)
            ids = [*connection.scalars(old)]
            if not ids:
                return number
            # The highest id may be among those that are deleted.
            keep_last_id(database, connection)
            among = database.among(fetch_events.c.feed_id, ids)
            connection.execute(delete(fetch_events).where(among))
            connection.execute(delete(feeds).where(database.among(feeds.c.id, ids)))
        number += len(ids)


def _change(
    database: Database,
    ids: Sequence[int],
    condition: ColumnElement[bool],
    values: Mapping[str, Any],
    event: Mapping[str, Any] | None = None,
) -> list[int]:
    """Change the feeds that meet a condition, in one transaction. Returns their ids."""
    changed: list[int] = []
    with database.writing() as connection:
        for some in chunks(sorted(set(ids)), AT_ONCE):
            chosen = and_(database.among(feeds.c.id, some), condition)
            changed += _change_where(database, connection, chosen, values, event)
    return changed


def _change_where(
    database: Database,
    connection: Connection,
    condition: ColumnElement[bool],
    values: Mapping[str, Any],
    event: Mapping[str, Any] | None,
) -> list[int]:
    # All writers lock rows in the order of ids: otherwise two of them could deadlock.
    locked = select(feeds.c.id).where(condition).order_by(feeds.c.id).with_for_update()
    ids = [*connection.scalars(locked)]
    if ids:
        among = database.among(feeds.c.id, ids)
        connection.execute(update(feeds).where(among).values(values))
        if event:
            connection.execute(insert(fetch_events), [{"feed_id": id, **event} for id in ids])
    return ids
