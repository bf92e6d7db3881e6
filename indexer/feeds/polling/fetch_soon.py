"""Requests to fetch a feed, or all feeds of a source, soon (feeds.md 5.7).

A queued feed with a valid lease is not changed, as it is fetched soon anyway. The Retry-After of a
host still applies.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, case, or_, select, update

from indexer.database import Database
from indexer.feeds.events import queued
from indexer.feeds.models import feeds, fetch_events

TURNS, TURN = 36, timedelta(minutes=5)
"""The feeds of a source are spread over three hours."""

_RELEASED = {"queued": False, "lease_owner": None, "lease_expires": None}


def fetch_feed_soon(database: Database, feed_id: int, now: datetime) -> int:
    """Schedule a feed at once, and enable it if the system disabled it.

    Returns 1, or 0 if the feed does not exist or is queued already. Raises StorageError.
    """
    columns = {"next_fetch_attempt": None, "last_fetch_failures": 0.0, "system_enabled": True}
    return _request(database, feeds.c.id == feed_id, columns, now)


def fetch_source_soon(database: Database, sources_id: int, now: datetime) -> int:
    """Schedule all feeds of a source within three hours. Returns the number of feeds.

    Inactive and disabled feeds stay so. Raises StorageError.
    """
    # By id, so that a repeated request does not bring all feeds to the front.
    turns = {turn: now + turn * TURN for turn in range(TURNS)}
    columns = {"next_fetch_attempt": case(turns, value=feeds.c.id % TURNS, else_=now)}
    return _request(database, feeds.c.sources_id == sources_id, columns, now)


def _request(
    database: Database, chosen: ColumnElement[bool], columns: Mapping[str, Any], now: datetime
) -> int:
    # A feed that was deactivated while leased keeps `queued`, as no scheduler claims it again.
    is_expired = feeds.c.lease_expires <= now
    # In the order of ids, as in `saving`: rows locked in different orders would deadlock.
    locked = (
        select(feeds.c.id)
        .where(chosen, or_(~feeds.c.queued, is_expired), feeds.c.removed_at.is_(None))
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
