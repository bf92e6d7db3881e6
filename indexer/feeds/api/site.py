"""The things that the API's methods use: the database, credentials, files and limits."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from fastapi import HTTPException

from indexer.database import Database
from indexer.feeds.api.credentials import ApiCredentials
from indexer.feeds.tools.trial import Trial
from indexer.programs.streaming import LATER_SECONDS

MOST_COUNTS, MOST_TRIES = 4, 2
"""Slow requests handled at once; the other threads stay free for story pullers."""

Try: TypeAlias = Callable[[str, int | None], Trial]
"""Fetches a URL as a feed of a source, and previews the decisions on its items."""


@dataclass(frozen=True, slots=True)
class ApiSite:
    """`now` returns UTC without a zone; `files` is the directory of the daily files.

    `metrics` returns the type and the text of the page of metrics, for a header Accept.
    """

    database: Database
    credentials: ApiCredentials
    now: Callable[[], datetime]
    files: Path
    tried: Try
    metrics: Callable[[str], tuple[str, bytes]]
    version: str = "0"
    revision: str = ""
    top_source_days: int = 3
    _slots: Mapping[str, threading.Semaphore] = field(
        default_factory=lambda: {
            "count": threading.BoundedSemaphore(MOST_COUNTS),
            "try": threading.BoundedSemaphore(MOST_TRIES),
        }
    )

    @contextmanager
    def slot(self, kind: str) -> Iterator[None]:
        """Hold one of the few slots for slow requests. Raises HTTPException if none is free."""
        # No waiting: a request that waits would hold one of the threads that all methods share.
        if not self._slots[kind].acquire(blocking=False):
            later = {"Retry-After": str(LATER_SECONDS)}
            raise HTTPException(503, "too many requests at once", later)
        try:
            yield
        finally:
            self._slots[kind].release()
