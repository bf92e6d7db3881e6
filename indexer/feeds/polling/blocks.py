"""Hosts that asked to be left alone, as one fetcher knows them.

What it was told itself counts at once; what other fetchers were told is looked up for each visit,
or, where that would be too often, every `seconds`.
"""

import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import select

from indexer.database import Database
from indexer.feeds.models import paces as paces_table
from indexer.feeds.polling.paces import Paces


class Blocks:
    """Thread-safe. Its methods raise StorageError."""

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
        self._looked: float | None = None
        self._lock = threading.Lock()

    def until(self, keys: Sequence[str], now: datetime) -> datetime | None:
        """The moment before which one of the keys must not be visited, if that is to come."""
        if not self._seconds:
            return self._paces.blocked(keys, now)
        with self._lock:
            if self._looked is None or self._clock() - self._looked >= self._seconds:
                self._known = self._all(now)
                self._looked = self._clock()
            ends = [self._known[key] for key in keys if key in self._known]
        return max((end for end in ends if end > now), default=None)

    def block(self, keys: Sequence[str], until: datetime) -> None:
        """Nobody goes there before `until`."""
        self._paces.block(keys, until)
        with self._lock:
            for key in keys:
                self._known[key] = max(until, self._known.get(key, until))

    def _all(self, now: datetime) -> dict[str, datetime]:
        statement = select(paces_table.c.key, paces_table.c.blocked_until).where(
            paces_table.c.blocked_until > now
        )
        with self._database.reading() as connection:
            return {row.key: row.blocked_until for row in connection.execute(statement)}
