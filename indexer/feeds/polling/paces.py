"""When a source, a host or a registered domain may be visited next: one table for all fetchers.

    reserve(keys) → seconds until its turn          every `interval` seconds one start a key
                    the turn is taken, unless it is too far away
    block(keys, until) → blocked(keys) → until      Retry-After: nobody goes there before

How many may be under way at once is not counted here, but where feeds are claimed (`claiming`).
"""

import math
from collections.abc import Sequence
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
        "least seconds between two fetches of one source, host or domain",
        "RSS_FETCH_FEED_SECS",
    )
    feed_concurrency: int = option(
        2,
        "feeds of one source, host or domain under way at once; 0: any number",
        "RSS_FETCH_FEED_CONCURRENCY",
    )

    def check_polite(self) -> None:
        """Raise ConfigurationError for numbers that can't be kept."""
        if self.feed_secs < 0 or self.feed_concurrency < 0:
            raise ConfigurationError("--feed-secs and --feed-concurrency can't be below 0")


class Paces:
    """The starts of all fetchers of a database. Thread-safe. Its methods raise StorageError.

    With an `interval` of 0 seconds there are no turns; blocks hold all the same.
    """

    def __init__(self, database: Database, interval: float) -> None:
        self._database = database
        self._interval = timedelta(seconds=interval)

    def reserve(self, keys: Sequence[str], now: datetime, longest: float = math.inf) -> float:
        """Take the next turn at all of the keys; in how many seconds it is.

        One that is later than `longest` seconds is not taken: others may have it.
        """
        if not keys or not self._interval:
            return 0.0
        with self._database.writing() as connection:
            # Makes the rows, or locks and reads them, always in the same order.
            insert = self._database.insert(paces)
            lock = insert.on_conflict_do_update(
                index_elements=[paces.c.key],
                set_={"next_start": func.coalesce(paces.c.next_start, insert.excluded.next_start)},
            ).returning(paces.c.next_start)
            rows = [{"key": key, "next_start": now} for key in sorted(set(keys))]
            start: datetime = max(now, *connection.scalars(lock, rows))
            wait = (start - now).total_seconds()
            if wait <= longest:
                connection.execute(
                    update(paces)
                    .where(self._database.among(paces.c.key, keys))
                    .values(next_start=start + self._interval)
                )
        return wait

    def block(self, keys: Sequence[str], until: datetime) -> None:
        """Nobody goes there before `until`; an earlier block that is longer stays."""
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

    def blocked(self, keys: Sequence[str], now: datetime) -> datetime | None:
        """The moment before which one of the keys must not be visited, if that is to come."""
        if not keys:
            return None
        statement = select(func.max(paces.c.blocked_until)).where(
            self._database.among(paces.c.key, keys), paces.c.blocked_until > now
        )
        with self._database.reading() as connection:
            until: datetime | None = connection.scalar(statement)
            return until
