"""Feeds that somebody wants fetched soon (feeds.md 5.7): one, or those of a source.

A feed that is to be fetched soon anyway (`queued`) is left alone, as long as its lease holds. What
a host asked for (Retry-After) still counts.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, case, or_, select, update

from indexer.database import Database
from indexer.feeds.events import queued
from indexer.feeds.models import feeds, fetch_events

TURNS, TURN = 36, timedelta(minutes=5)
"""The feeds of a source come one after the other, spread over three hours."""

_RELEASED = {"queued": False, "lease_owner": None, "lease_expires": None}


def feed_soon(database: Database, feed_id: int, now: datetime) -> int:
    """Have a feed fetched as soon as possible, also one that the system had given up.

    Returns 1; 0 if there is no such feed, or it is queued. Raises StorageError.
    """
    columns = {"next_fetch_attempt": None, "last_fetch_failures": 0.0, "system_enabled": True}
    return _request(database, feeds.c.id == feed_id, columns, now)


def source_soon(database: Database, sources_id: int, now: datetime) -> int:
    """Have all feeds of a source fetched within three hours. Returns how many there are of them.

    Those that nobody fetches (not active, or given up) stay so. Raises StorageError.
    """
    turns = {turn: now + turn * TURN for turn in range(TURNS)}
    columns = {"next_fetch_attempt": case(turns, value=feeds.c.id % TURNS, else_=now)}
    return _request(database, feeds.c.sources_id == sources_id, columns, now)


def _request(
    database: Database, chosen: ColumnElement[bool], columns: Mapping[str, Any], now: datetime
) -> int:
    # Nobody claims it again if it was switched off meanwhile.
    is_lost = feeds.c.lease_expires <= now
    # In one order, as others lock them too.
    locked = (
        select(feeds.c.id)
        .where(chosen, or_(~feeds.c.queued, is_lost), feeds.c.removed_at.is_(None))
        .order_by(feeds.c.id)
        .with_for_update()
    )
    values = {"deferred_until": None, **_RELEASED, **columns}
    with database.writing() as connection:
        ids = [*connection.scalars(locked)]
        if ids:
            among = database.among(feeds.c.id, ids)
            connection.execute(update(feeds).where(among).values(values))
            connection.execute(fetch_events.insert(), [queued(id, now) for id in ids])
    return len(ids)
