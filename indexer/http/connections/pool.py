"""Connections that are kept between two exchanges.

A connection is used again only for the same scheme, host and port, through the same proxy, and only
if a look-up of the host still gives its address. All connections of a pool have the same TLS
settings.
"""

import threading
import time
from collections.abc import Callable, Collection
from typing import NamedTuple

from indexer.http.connections.connection import ServerConnection

# Seconds before the server's limit: a request that arrives later finds the connection closed.
_MARGIN = 1.0


class _Kept(NamedTuple):
    route: str
    connection: ServerConnection
    until: float


class Pool:
    """Keeps at most `size` connections, each for at most `seconds`. Thread-safe."""

    def __init__(
        self, size: int, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._size = size
        self._seconds = seconds
        self._clock = clock
        # Reentrant: the garbage collector may close a forgotten stream in the middle of a method.
        self._lock = threading.RLock()
        self._kept: list[_Kept] = []

    @property
    def is_off(self) -> bool:
        """Whether no connection is kept."""
        return self._size <= 0

    def take(self, route: str, peers: Collection[str]) -> ServerConnection | None:
        """A kept connection to one of the addresses, which leaves the pool; or None."""
        found, closing, now = None, [], self._clock()
        with self._lock:
            for each in reversed([each for each in self._kept if each.route == route]):
                self._kept.remove(each)
                is_valid = each.until > now and each.connection.peer in peers
                if is_valid and each.connection.is_quiet:
                    found = each.connection
                    break
                closing.append(each)
        _close(closing)
        return found

    def give(self, route: str, connection: ServerConnection, seconds: float | None = None) -> None:
        """Keep a connection whose last answer was read; its server keeps it for `seconds`."""
        longest = self._seconds if seconds is None else min(self._seconds, seconds - _MARGIN)
        with self._lock:
            self._kept.append(_Kept(route, connection, self._clock() + longest))
            closing = self._expired()
            while len(self._kept) > self._size:
                closing.append(self._kept.pop(0))
        _close(closing)

    def close(self) -> None:
        """Close all connections, and keep no more."""
        with self._lock:
            self._size, kept, self._kept = 0, self._kept, []
        _close(kept)

    def _expired(self) -> list[_Kept]:
        """Remove the connections whose time is over."""
        now = self._clock()
        expired = [each for each in self._kept if each.until <= now]
        for each in expired:
            self._kept.remove(each)
        return expired


def _close(kept: Collection[_Kept]) -> None:
    for each in kept:
        each.connection.close()
