"""Claims the feeds to poll next: leases ready feeds with one statement that uses an index.

    ready_at <= now, oldest first → source, host and domain below their limits → leased → Poll

A lease expires: if its attempt never ends, the feed is ready again. Any number of schedulers may
claim at once. Ready feeds above a limit are deferred until their estimated turn, so that the next
query does not read them again.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from sqlalchemy import CTE, Connection, Select, bindparam, func, select, update
from sqlalchemy.sql.dml import ReturningUpdate

from indexer.database import Database
from indexer.database.leases import is_free, is_leased, new_lease
from indexer.feeds.attempt import Poll
from indexer.feeds.identity.places import keys
from indexer.feeds.models import IS_POLLED, feeds
from indexer.feeds.polling import concurrency
from indexer.feeds.polling.paces import PoliteOptions
from indexer.system.options import option

LOCK = "feeds-claim"

_Parameters: TypeAlias = Mapping[str, Any]
"""The parameters of the statements of `concurrency`."""

LOOK_AHEAD = 4
"""Ready feeds that are examined for each one wanted, as some are above a limit."""


class ClaimOptions(PoliteOptions):
    """Part of the options of the programs that claim feeds."""

    lease_seconds: float = option(
        900.0,
        "seconds after which a feed is polled again if its attempt has not ended",
        "FEEDS_LEASE_SECONDS",
    )


class Claims:
    """Claims feeds. Thread-safe. Its methods raise StorageError."""

    def __init__(self, database: Database, options: ClaimOptions, owner: str) -> None:
        """`owner` is the program's name, which operators see in `lease_owner`."""
        self._database = database
        self._claim, self._surplus = _lease(concurrency.ready()), None
        if options.feed_concurrency:
            excess = concurrency.excess(options.feed_concurrency)
            self._claim = _lease(concurrency.within_limits(excess))
            self._surplus = _above_limits(excess)
        # Below a second, deferred feeds would be read again by nearly every query.
        self._spacing = timedelta(seconds=max(options.feed_secs, 1.0))
        self._lease = timedelta(seconds=options.lease_seconds)
        self._owner = owner
        self.crowded = 0
        """How many ready feeds the last query found above a limit."""

    def claim(self, now: datetime, limit: int) -> list[Poll]:
        """Lease ready feeds, at most `limit`."""
        self.crowded = 0
        if limit <= 0:
            return []
        given = {
            concurrency.NOW: now,
            concurrency.LIMIT: limit,
            concurrency.WINDOW: LOOK_AHEAD * limit,
        }
        with self._database.writing() as connection:
            if self._surplus is None:
                return self._take(connection, self._claim, given, now)
            # Two schedulers that counted leases at once would exceed the limits.
            self._database.lock(connection, LOCK)
            polls = self._take(connection, self._claim, given, now)
            # With the limit reached, feeds that were not taken may still be within theirs.
            if len(polls) < limit:
                self._defer(connection, self._surplus, given, now)
            return polls

    def claim_these(self, ids: Sequence[int], now: datetime) -> list[Poll]:
        """Lease these feeds, ready or not, unless they are leased already or never polled."""
        chosen = (
            select(feeds.c.id)
            .where(IS_POLLED, self._database.among(feeds.c.id, ids), is_free(feeds, now))
            .with_for_update(skip_locked=True)
            .cte("chosen")
        )
        with self._database.writing() as connection:
            # As in `claim`: a scheduler that counts leases at this moment would miss these.
            self._database.lock(connection, LOCK)
            return self._take(connection, _lease(chosen), {}, now)

    def under_way(self, now: datetime) -> int:
        """How many leases have not expired."""
        with self._database.reading() as connection:
            return connection.scalar(select(func.count()).where(is_leased(feeds, now))) or 0

    def _take(
        self,
        connection: Connection,
        statement: ReturningUpdate[Any],
        given: _Parameters,
        now: datetime,
    ) -> list[Poll]:
        # The random part tells an expired lease from a later one of the same program.
        lease = new_lease(self._owner)
        expires = now + self._lease
        given = {**given, "new_owner": lease, "new_end": expires}
        polls = []
        for row in connection.execute(statement, given).mappings():
            columns = dict(row)
            wanted = keys(row["sources_id"], row["url"], columns.pop("final_url"))
            polls.append(Poll(lease=lease, expires=expires, keys=wanted, **columns))
        return polls

    def _defer(
        self, connection: Connection, surplus: Select[Any], given: _Parameters, now: datetime
    ) -> None:
        """Defer feeds above a limit until their block ends, or until their estimated turn."""
        rows = [
            {"feed": row.id, "until": row.blocked_until or now + row.excess * self._spacing}
            for row in connection.execute(surplus, given)
        ]
        self.crowded = len(rows)
        if rows:
            later = (
                update(feeds)
                .where(feeds.c.id == bindparam("feed"), is_free(feeds, now))
                .values(deferred_until=bindparam("until"))
            )
            connection.execute(later, rows)


_POLLED = (
    feeds.c.id.label("feed_id"),
    feeds.c.sources_id,
    func.coalesce(feeds.c.adopted_url, feeds.c.url, "").label("url"),
    feeds.c.final_url,
    feeds.c.next_fetch_attempt.label("due"),
    feeds.c.last_fetch_hash.label("hash"),
    feeds.c.http_etag.label("etag"),
    feeds.c.http_last_modified.label("last_modified"),
    feeds.c.validators_url,
    feeds.c.validators_trusted,
    feeds.c.not_modified_count,
    feeds.c.full_fetch_at,
)
"""The fields of a `Poll`, and the URL that the last one ended at."""


def _lease(chosen: CTE) -> ReturningUpdate[Any]:
    """The statement that leases the chosen feeds; its parameters are `new_owner` and `new_end`."""
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


def _above_limits(excess: CTE) -> Select[Any]:
    """The query for ready feeds that exceed a limit."""
    columns = [excess.c.id, excess.c.excess, excess.c.blocked_until]
    return select(*columns).where(excess.c.excess > 0)
