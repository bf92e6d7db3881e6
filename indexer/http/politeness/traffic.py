"""The gauges of a fetcher's visits (stories.md 2.6)."""

import heapq
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from indexer.metrics import gauge

REQUESTS = gauge(
    "requests",
    "visits of the fetcher: active are under way, ready wait for a thread, delayed wait for their "
    "site",
    "status",
)
PREFETCH = gauge("prefetch", "most messages that the fetcher takes in advance")
RECENT = gauge("slots.recent", "sites whose state is kept")
ACTIVE = gauge("slots.active", "sites that are being visited")

_TELLS: tuple[Callable[[float], None], ...] = (
    partial(REQUESTS.set, status="active"),
    partial(REQUESTS.set, status="ready"),
    partial(REQUESTS.set, status="delayed"),
    PREFETCH.set,
    RECENT.set,
    ACTIVE.set,
)
REPEAT_SECONDS = 1.0
"""After this time all gauges are told again: packets of statsd get lost."""

_NOTHING: tuple[float | None, ...] = (None,) * len(_TELLS)


class Traffic:
    """Counts visits from the arrival of their messages to their end. Thread-safe.

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
        self._told = _NOTHING
        self._repeat = clock()

    def arrived(self, wait: float) -> None:
        """Count a visit that may begin in `wait` seconds."""
        with self._lock:
            self._held += 1
            heapq.heappush(self._due, self._clock() + wait)
            self._tell()

    @contextmanager
    def fetching(self, site: str) -> Iterator[None]:
        """Count a visit as being under way for the duration of the block."""
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
        now = self._clock()
        if now >= self._repeat:
            self._told, self._repeat = _NOTHING, now + REPEAT_SECONDS
        while self._due and self._due[0] <= now:
            heapq.heappop(self._due)
        delayed = min(self._held, len(self._due))
        active, ready = self._active.total(), self._held - delayed
        numbers = (active, ready, delayed, self._prefetch, self._sites(), len(self._active))
        for tell, number, told in zip(_TELLS, numbers, self._told, strict=True):
            if number != told:
                tell(number)
        self._told = numbers
