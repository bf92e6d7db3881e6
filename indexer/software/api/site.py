"""The things that the API's methods use: the rows, the index, and limits."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from fastapi import HTTPException

from indexer.programs.streaming import LATER_SECONDS
from indexer.search import SearchIndex
from indexer.software.store.store import SoftwareStore

MOST_SEARCHES = 4
"""Searches and counts handled at once; the other threads stay free for single origins."""


@dataclass(frozen=True, slots=True)
class SoftwareSite:
    """`mappings` are the names that statistics count."""

    store: SoftwareStore
    index: SearchIndex
    mappings: tuple[str, ...]
    version: str = "0"
    _slots: threading.Semaphore = field(
        default_factory=lambda: threading.BoundedSemaphore(MOST_SEARCHES)
    )

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Hold one of the few slots for slow requests. Raises HTTPException if none is free."""
        # No waiting: a request that waits would hold one of the threads that all methods share.
        if not self._slots.acquire(blocking=False):
            later = {"Retry-After": str(LATER_SECONDS)}
            raise HTTPException(503, "too many requests at once", later)
        try:
            yield
        finally:
            self._slots.release()
