"""When a source, host or registered domain may be visited next: a table that all fetchers share.

    reserve(keys) → seconds until the turn        one start per key every `interval` seconds;
                                                  a turn too far away is not taken
    block(keys, until) → blocked(keys) → until    Retry-After: no fetcher visits it before

A fetcher caches the blocks (`BlockedHosts`): one that it stores applies at once; those of other
fetchers are read before each visit, or, to save queries, every `seconds`.

The limit of feeds polled at once is enforced where feeds are claimed (`concurrency`).
"""

import math
import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import case, func, select, update

from indexer.database import Database
from indexer.errors import ConfigurationError
from indexer.feeds.models import paces
from indexer.system.options import Options, option


class PoliteOptions(Options):
    """Part of the options of the programs that keep to the limits of feeds.md 5.2."""

    feed_secs: float = option(
        5.0,
        "minimum seconds between two fetches of one source, host or domain",
        "RSS_FETCH_FEED_SECS",
    )
    feed_concurrency: int = option(
        2,
        "feeds of one source, host or domain polled at once; 0: no limit",
        "RSS_FETCH_FEED_CONCURRENCY",
    )

    def check_polite(self) -> None:
        """Raise ConfigurationError for negative numbers."""
        if self.feed_secs < 0 or self.feed_concurrency < 0:
            raise ConfigurationError("--feed-secs and --feed-concurrency can't be below 0")


class Paces:
    """The turns and blocks in a database. Thread-safe. Its methods raise StorageError.

    With an `interval` of 0 seconds no visit waits for a turn; blocks still apply.
    """

    def __init__(self, database: Database, interval: float) -> None:
        self._database = database
        self._interval = timedelta(seconds=interval)

    def reserve(self, keys: Sequence[str], now: datetime, longest: float = math.inf) -> float:
        """Take the next turn of all the keys; the seconds until it.

        A turn more than `longest` seconds away is not taken, so that others can have it.
        """
        if not keys or not self._interval:
            return 0.0
        with self._database.writing() as connection:
            # Inserts the rows, or locks and reads them. Two fetchers that locked common keys in
            # different orders would deadlock, so the order is always the same.
            insert = self._database.insert(paces)
            lock = insert.on_conflict_do_update(
                index_elements=[paces.c.key],
                set_={"next_start": func.coalesce(paces.c.next_start, insert.excluded.next_start)},
            ).returning(paces.c.next_start)
            rows = [{"key": key, "next_start": now} for key in sorted(set(keys))]
            start: datetime = max(now, *connection.scalars(lock, rows))
            wait = (start - now).total_seconds()
            # All keys get the latest turn, as a visit counts for each of them.
            if wait <= longest:
                connection.execute(
                    update(paces)
                    .where(self._database.among(paces.c.key, keys))
                    .values(next_start=start + self._interval)
                )
        return wait

    def block(self, keys: Sequence[str], until: datetime) -> None:
        """Let no fetcher visit the keys before `until`; a longer block stays."""
        if not keys:
            return
        insert = self._database.insert(paces)
        known, wanted = paces.c.blocked_until, insert.excluded.blocked_until
        statement = insert.on_conflict_do_update(
            index_elements=[paces.c.key],
            set_={"blocked_until": case((known > wanted, known), else_=wanted)},
        )
        with self._database.writing() as connection:
            rows = [{"key": key, "blocked_until": until} for key in sorted(set(keys))]
            connection.execute(statement, rows)

    def unblock(self, keys: Sequence[str]) -> None:
        """Let the keys be visited, whatever their hosts have asked for."""
        statement = update(paces).where(self._database.among(paces.c.key, keys))
        with self._database.writing() as connection:
            connection.execute(statement.values(blocked_until=None))

    def blocked(self, keys: Sequence[str], now: datetime) -> datetime | None:
        """The latest end of the keys' blocks, or None if no key is blocked."""
        if not keys:
            return None
        statement = select(func.max(paces.c.blocked_until)).where(
            self._database.among(paces.c.key, keys), paces.c.blocked_until > now
        )
        with self._database.reading() as connection:
            until: datetime | None = connection.scalar(statement)
            return until


class BlockedHosts:
    """The blocks of all fetchers. Thread-safe. Its methods raise StorageError."""

    def __init__(
        self,
        database: Database,
        paces: Paces,
        seconds: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._paces = paces
        self._seconds = seconds
        self._clock = clock
        self._known: dict[str, datetime] = {}
        self._read_at: float | None = None
        self._lock = threading.Lock()

    def until(self, keys: Sequence[str], now: datetime) -> datetime | None:
        """The latest end of the keys' blocks, or None if no key is blocked."""
        if not self._seconds:
            return self._paces.blocked(keys, now)
        # Locked during the query: the other threads wait for it instead of repeating it.
        with self._lock:
            if self._read_at is None or self._clock() - self._read_at >= self._seconds:
                self._known = self._all(now)
                self._read_at = self._clock()
            ends = [self._known[key] for key in keys if key in self._known]
        return max((end for end in ends if end > now), default=None)

    def block(self, keys: Sequence[str], until: datetime) -> None:
        """Let no fetcher visit the keys before `until`."""
        self._paces.block(keys, until)
        with self._lock:
            for key in keys:
                self._known[key] = max(until, self._known.get(key, until))

    def _all(self, now: datetime) -> dict[str, datetime]:
        statement = select(paces.c.key, paces.c.blocked_until).where(paces.c.blocked_until > now)
        with self._database.reading() as connection:
            return {row.key: row.blocked_until for row in connection.execute(statement)}
