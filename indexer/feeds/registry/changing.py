"""Changes of existing feeds, by an operator or by the directory."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
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
from indexer.feeds import events
from indexer.feeds.identity.places import place_of
from indexer.feeds.models import feeds, fetch_events
from indexer.feeds.polling.schedule_options import LEAST_MINUTES, MOST_MINUTES
from indexer.feeds.registry.registry import AT_ONCE, LOCK, keep_last_id
from indexer.text.chunks import chunks
from indexer.text.cleaning import one_line

BY_THE_OPERATOR = "disabled by the operator"

PORTION = 500
"""Feeds deleted in one transaction, with their events: it holds the lock of the registry."""

_SOON = {"next_fetch_attempt": None, "deferred_until": None}
_WELL = {"last_fetch_failures": 0.0, "gone_at": None}
_NOT_LEASED = {"queued": False, "lease_owner": None, "lease_expires": None}


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
        "last_fetch_hash": None,
        "http_etag": None,
        "http_last_modified": None,
        "http_304": None,
        "update_minutes": None,
        "poll_minutes": None,
        "final_url": None,
        "final_host": None,
        "validators_url": None,
        "validators_trusted": True,
        "validators_doubts": 0,
        "not_modified_count": 0,
        "full_fetch_at": None,
        "redirect_url": None,
        "redirect_count": 0,
        "redirect_since": None,
        "adopted_url": None,
        "rate": None,
        "missed_alarms": 0,
        **_SOON,
        **_WELL,
        # Without its lease an attempt under way is discarded, with the old URL's validators.
        **_NOT_LEASED,
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
    note = one_line(f"{BY_THE_OPERATOR}; {why}" if why else BY_THE_OPERATOR, events.NOTE_LENGTH)
    is_on = feeds.c.system_enabled == true()
    event = {"event": events.DISABLED, "note": note, "created_at": now, "details": None}
    return _change(database, ids, is_on, {"system_enabled": False}, event)


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
    values: dict[str, Any],
    event: dict[str, Any] | None = None,
) -> list[int]:
    """Change the feeds that meet a condition, in one transaction. Returns their ids."""
    changed: list[int] = []
    with database.writing() as connection:
        # All writers lock rows in the order of ids: otherwise two of them could deadlock.
        for some in chunks(sorted(set(ids)), AT_ONCE):
            chosen = (
                select(feeds.c.id)
                .where(database.among(feeds.c.id, some), condition)
                .order_by(feeds.c.id)
                .with_for_update()
            )
            found = [*connection.scalars(chosen)]
            if found:
                connection.execute(
                    update(feeds).where(database.among(feeds.c.id, found)).values(values)
                )
            if event and found:
                rows = [{"feed_id": id, **event} for id in found]
                connection.execute(insert(fetch_events), rows)
            changed += found
    return changed
