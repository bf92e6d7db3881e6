"""What the API is made of: where the feeds are, and what answers say of the program."""

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
"""What takes long may not take the place of all else."""

Try: TypeAlias = Callable[[str, int | None], Trial]
"""Fetches a feed, as of a source, and tells what would become of it."""


@dataclass(frozen=True, slots=True)
class ApiSite:
    """`now` gives UTC without a zone; `files` has the daily files; `metrics` gives, for a header
    Accept, the type and the text of the page of numbers.
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
    _places: Mapping[str, threading.Semaphore] = field(
        default_factory=lambda: {
            "count": threading.BoundedSemaphore(MOST_COUNTS),
            "try": threading.BoundedSemaphore(MOST_TRIES),
        }
    )

    @contextmanager
    def place(self, kind: str) -> Iterator[None]:
        """One of the few places for what takes long. Raises HTTPException if none is free."""
        if not self._places[kind].acquire(blocking=False):
            later = {"Retry-After": str(LATER_SECONDS)}
            raise HTTPException(503, "too many ask at once", later)
        try:
            yield
        finally:
            self._places[kind].release()
