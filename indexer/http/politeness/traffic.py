"""The gauges of a fetcher's stories (stories.md 2.6)."""

import heapq
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from indexer.metrics import gauge

REQUESTS = gauge(
    "requests",
    "stories in the fetcher: active are being fetched, ready wait for a thread, delayed wait for "
    "their site",
    "status",
)
PREFETCH = gauge("prefetch", "most stories that the fetcher takes in advance")
RECENT = gauge("slots.recent", "sites whose state is kept")
ACTIVE = gauge("slots.active", "sites from which a story is being fetched")


class Traffic:
    """Counts stories from their arrival to the end of their fetch. Thread-safe.

    `sites` returns the number of sites whose state is kept.
    """

    def __init__(
        self,
        prefetch: int,
        sites: Callable[[], int],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._prefetch = prefetch
        self._sites = sites
        self._clock = clock
        self._lock = threading.Lock()
        self._held = 0
        self._due: list[float] = []
        self._active: Counter[str] = Counter()

    def arrived(self, wait: float) -> None:
        """Count a story that may be fetched in `wait` seconds."""
        with self._lock:
            self._held += 1
            heapq.heappush(self._due, self._clock() + wait)
            self._tell()

    @contextmanager
    def fetching(self, site: str) -> Iterator[None]:
        """Count a story as being fetched for the duration of the block."""
        with self._lock:
            self._held = max(0, self._held - 1)
            self._active[site] += 1
            self._tell()
        try:
            yield
        finally:
            with self._lock:
                self._active[site] -= 1
                if not self._active[site]:
                    del self._active[site]
                self._tell()

    def _tell(self) -> None:
        while self._due and self._due[0] <= self._clock():
            heapq.heappop(self._due)
        delayed = min(self._held, len(self._due))
        REQUESTS.set(self._active.total(), status="active")
        REQUESTS.set(self._held - delayed, status="ready")
        REQUESTS.set(delayed, status="delayed")
        PREFETCH.set(self._prefetch)
        RECENT.set(self._sites())
        ACTIVE.set(len(self._active))
