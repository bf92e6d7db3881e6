"""Which feeds are polled next: ready ones are leased, in one statement on an index.

    ready_at <= now, oldest first → those whose source, host and domain have room → leased → Poll

A lease names the claim and says when it ends: a feed whose attempt did not come to its end is
ready again then. Any number of schedulers may claim side by side. What is ready but has no room
is put off for as long as its turn is likely to take, so that it is not looked at each time.
"""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from sqlalchemy import CTE, ColumnElement, Connection, Select, bindparam, func, or_, select, update
from sqlalchemy.sql.dml import ReturningUpdate

from indexer.database import Database
from indexer.feeds.attempt import Poll
from indexer.feeds.identity.places import keys
from indexer.feeds.models import IS_POLLED, feeds
from indexer.feeds.polling import room
from indexer.feeds.polling.paces import PoliteOptions
from indexer.system.options import option

LOCK = "feeds-claim"

_Asked: TypeAlias = Mapping[str, Any]
"""The parameters of the statements of `room`."""

LOOK_AHEAD = 4
"""How many ready feeds are looked at for each that is wanted: some have no room."""


class ClaimOptions(PoliteOptions):
    """Part of the options of the programs that claim feeds."""

    lease_seconds: float = option(
        900.0,
        "a feed whose attempt has not ended by then is polled again",
        "FEEDS_LEASE_SECONDS",
    )


class Claims:
    """Claims feeds. Thread-safe. Its methods raise StorageError."""

    def __init__(self, database: Database, options: ClaimOptions, owner: str) -> None:
        """`owner` names the program, for those who look into the table."""
        self._database = database
        chances = room.chances(options.feed_concurrency) if options.feed_concurrency else None
        self._claim = _lease(room.ready() if chances is None else room.allowed(chances))
        self._surplus = None if chances is None else _surplus(chances)
        self._spacing = timedelta(seconds=max(options.feed_secs, 1.0))
        self._lease = timedelta(seconds=options.lease_seconds)
        self._owner = owner
        self.crowded = 0
        """How many that were ready had no room, when it was looked last."""

    def claim(self, now: datetime, limit: int) -> list[Poll]:
        """Lease up to so many feeds that are ready."""
        self.crowded = 0
        if limit <= 0:
            return []
        asked = {room.NOW: now, room.LIMIT: limit, room.WINDOW: LOOK_AHEAD * limit}
        with self._database.writing() as connection:
            if self._surplus is None:
                return self._take(connection, self._claim, asked, now)
            # Who counts what is under way must be the only one who adds to it.
            self._database.wait_for_others(connection, LOCK)
            polls = self._take(connection, self._claim, asked, now)
            if len(polls) < limit:
                self._put_off(connection, self._surplus, asked, now)
            return polls

    def claim_these(self, ids: Sequence[int], now: datetime) -> list[Poll]:
        """Lease feeds, ready or not; not those that are under way, or not polled at all."""
        chosen = (
            select(feeds.c.id)
            .where(
                IS_POLLED,
                self._database.among(feeds.c.id, ids),
                or_(feeds.c.lease_expires.is_(None), feeds.c.lease_expires <= now),
            )
            .with_for_update(skip_locked=True)
            .cte("chosen")
        )
        with self._database.writing() as connection:
            # Who counts what is under way must be the only one who adds to it.
            self._database.wait_for_others(connection, LOCK)
            return self._take(connection, _lease(chosen), {}, now)

    def under_way(self, now: datetime) -> int:
        """How many leases have not ended."""
        with self._database.reading() as connection:
            return connection.scalar(select(func.count()).where(feeds.c.lease_expires > now)) or 0

    def _take(
        self, connection: Connection, statement: ReturningUpdate[Any], asked: _Asked, now: datetime
    ) -> list[Poll]:
        lease = f"{self._owner}-{secrets.token_hex(6)}"
        expires = now + self._lease
        given = {**asked, "new_owner": lease, "new_end": expires}
        rows = connection.execute(statement, given).mappings()
        return [_poll(dict(row), lease, expires) for row in rows]

    def _put_off(
        self, connection: Connection, surplus: Select[Any], asked: _Asked, now: datetime
    ) -> None:
        """Those without room come again when it is likely to be their turn."""
        rows = [
            {"feed": row.id, "until": row.blocked_until or now + row.excess * self._spacing}
            for row in connection.execute(surplus, asked)
        ]
        self.crowded = len(rows)
        if rows:
            later = (
                update(feeds)
                .where(feeds.c.id == bindparam("feed"), _is_free(now))
                .values(deferred_until=bindparam("until"))
            )
            connection.execute(later, rows)


_POLLED = (
    feeds.c.id,
    feeds.c.sources_id,
    feeds.c.url,
    feeds.c.adopted_url,
    feeds.c.final_url,
    feeds.c.next_fetch_attempt,
    feeds.c.last_fetch_hash,
    feeds.c.http_etag,
    feeds.c.http_last_modified,
    feeds.c.validators_url,
    feeds.c.validators_trusted,
    feeds.c.not_modified_count,
    feeds.c.full_fetch_at,
)


def _lease(chosen: CTE) -> ReturningUpdate[Any]:
    """The claim of the feeds that were chosen: its parameters are `new_owner` and `new_end`."""
    return (
        update(feeds)
        .where(feeds.c.id.in_(select(chosen.c.id)))
        .values(
            queued=True,
            lease_owner=bindparam("new_owner"),
            lease_expires=bindparam("new_end"),
            deferred_until=None,
        )
        .returning(*_POLLED)
    )


def _surplus(chances: CTE) -> Select[Any]:
    """Those that are ready and have no room."""
    columns = [chances.c.id, chances.c.excess, chances.c.blocked_until]
    return select(*columns).where(chances.c.excess > 0)


def _poll(row: dict[str, Any], lease: str, expires: datetime) -> Poll:
    url = row["adopted_url"] or row["url"] or ""
    return Poll(
        feed_id=row["id"],
        url=url,
        lease=lease,
        expires=expires,
        sources_id=row["sources_id"],
        keys=keys(row["sources_id"], url, row["final_url"]),
        due=row["next_fetch_attempt"],
        hash=row["last_fetch_hash"],
        etag=row["http_etag"],
        last_modified=row["http_last_modified"],
        validators_url=row["validators_url"],
        validators_trusted=row["validators_trusted"],
        not_modified_count=row["not_modified_count"],
        full_fetch_at=row["full_fetch_at"],
    )


def _is_free(now: datetime) -> ColumnElement[bool]:
    return or_(feeds.c.lease_expires.is_(None), feeds.c.lease_expires <= now)
