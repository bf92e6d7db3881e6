"""The blocks of hosts (Retry-After), cached by one fetcher.

A block that this fetcher stores applies at once. Those of other fetchers are read before each
visit, or, to save queries, every `seconds`.
"""

import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import select

from indexer.database import Database
from indexer.feeds.models import paces as paces_table
from indexer.feeds.polling.paces import Paces


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
        statement = select(paces_table.c.key, paces_table.c.blocked_until).where(
            paces_table.c.blocked_until > now
        )
        with self._database.reading() as connection:
            return {row.key: row.blocked_until for row in connection.execute(statement)}
