"""Which feeds are polled next: ready ones are leased, in one statement on an index.

    ready_at <= now, oldest first → those whose source, host and domain have room → leased → Poll

A lease names the claim and says when it ends: a feed whose attempt did not come to its end is
ready again then. Any number of schedulers may claim side by side. What is ready but has no room
is put off for as long as its turn is likely to take, so that it is not looked at each time.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    CTE,
    ColumnElement,
    Connection,
    Subquery,
    and_,
    bindparam,
    case,
    func,
    literal,
    or_,
    select,
    update,
)

from indexer.database import Database
from indexer.feeds.attempt import Poll
from indexer.feeds.models import IS_POLLED, feeds, paces
from indexer.feeds.paces import PoliteOptions
from indexer.feeds.places import keys
from indexer.options import option

LOCK = "feeds-claim"

LOOK_AHEAD = 4
"""How many ready feeds are looked at for each that is wanted: some have no room."""

LIMITED = ("sources_id", "host", "domain")
"""The columns of which each value has room for so many at once."""


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
        self._concurrency = options.feed_concurrency
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
        with self._database.writing() as connection:
            if not self._concurrency:
                return self._take(connection, _ready(now, limit), now)
            # Who counts what is under way must be the only one who adds to it.
            self._database.wait_for_others(connection, LOCK)
            chances = _chances(_ready(now, LOOK_AHEAD * limit), now, self._concurrency)
            polls = self._take(connection, _allowed(chances, limit), now)
            if len(polls) < limit:
                self._put_off(connection, chances, now)
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
            return self._take(connection, chosen, now)

    def under_way(self, now: datetime) -> int:
        """How many leases have not ended."""
        with self._database.reading() as connection:
            return connection.scalar(select(func.count()).where(feeds.c.lease_expires > now)) or 0

    def _take(self, connection: Connection, chosen: CTE, now: datetime) -> list[Poll]:
        lease = f"{self._owner}-{secrets.token_hex(6)}"
        expires = now + self._lease
        statement = (
            update(feeds)
            .where(feeds.c.id.in_(select(chosen.c.id)))
            .values(queued=True, lease_owner=lease, lease_expires=expires, deferred_until=None)
            .returning(*_POLLED)
        )
        rows = connection.execute(statement).mappings()
        return [_poll(dict(row), lease, expires) for row in rows]

    def _put_off(self, connection: Connection, chances: CTE, now: datetime) -> None:
        """Those without room come again when it is likely to be their turn."""
        surplus = select(chances.c.id, chances.c.excess, chances.c.blocked_until).where(
            chances.c.excess > 0
        )
        rows = [
            {"feed": row.id, "until": row.blocked_until or now + row.excess * self._spacing}
            for row in connection.execute(surplus)
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


def _ready(now: datetime, limit: int) -> CTE:
    """The feeds that have been ready for longest; on PostgreSQL those that nobody else has."""
    columns = [feeds.c.id, feeds.c.ready_at, *(feeds.c[name] for name in LIMITED)]
    return (
        select(*columns)
        .where(IS_POLLED, feeds.c.ready_at <= now)
        .order_by(feeds.c.ready_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("ready")
    )


def _chances(ready: CTE, now: datetime, concurrency: int) -> CTE:
    """Of each ready feed its `excess`: how many more than have room would come before it.

    `blocked_until`: its host is not to be visited before; then there is no room at all.
    """
    ranks = _ranks(ready, now, concurrency)
    most: ColumnElement[int] = case((ranks.c.blocked_until.is_not(None), 1), else_=0)
    for name in LIMITED:
        most = case((ranks.c[f"by_{name}"] > most, ranks.c[f"by_{name}"]), else_=most)
    columns = [ranks.c.id, ranks.c.ready_at, ranks.c.blocked_until, most.label("excess")]
    return select(*columns).cte("chances")


def _ranks(ready: CTE, now: datetime, concurrency: int) -> CTE:
    """The same for each of what limits it; what has no source, host or domain has no limit."""
    source: Any = ready
    under_way = _under_way(now)
    columns: list[ColumnElement[Any]] = [ready.c.id, ready.c.ready_at]
    for name in LIMITED:
        busy = _numbers(under_way, name)
        source = source.outerjoin(busy, busy.c.value == ready.c[name])
        rank = func.row_number().over(partition_by=ready.c[name], order_by=ready.c.ready_at)
        excess = rank + func.coalesce(busy.c.number, 0) - concurrency
        columns.append(case((ready.c[name].is_(None), 0), else_=excess).label(f"by_{name}"))
    pause = paces.alias("pause")
    source = source.outerjoin(
        pause, and_(pause.c.key == literal("host:") + ready.c.host, pause.c.blocked_until > now)
    )
    return select(*columns, pause.c.blocked_until).select_from(source).cte("ranks")


def _allowed(chances: CTE, limit: int) -> CTE:
    """Those that have room, oldest first."""
    return (
        select(chances.c.id)
        .where(chances.c.excess <= 0)
        .order_by(chances.c.ready_at)
        .limit(limit)
        .cte("allowed")
    )


def _under_way(now: datetime) -> CTE:
    """The feeds whose lease has not ended."""
    columns = [feeds.c[name] for name in LIMITED]
    under_way = select(*columns).where(feeds.c.lease_expires > now).cte("under_way")
    # Read once, and by the index of leases.
    return under_way.prefix_with("MATERIALIZED")


def _numbers(under_way: CTE, name: str) -> Subquery:
    """How many of them each value of a column has."""
    column = under_way.c[name]
    numbers = select(column.label("value"), func.count().label("number")).group_by(column)
    return numbers.subquery(f"busy_{name}")
