"""Small WARC files with fixed ids and times, for tests."""

import io
import itertools
from collections.abc import Callable
from datetime import UTC, datetime

from indexer.warc.writer import Writer

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


def numbered_ids() -> Callable[[], str]:
    """Record ids 1, 2, 3…"""
    numbers = itertools.count(1)
    return lambda: f"<urn:uuid:00000000-0000-4000-8000-{next(numbers):012d}>"


def writer(file: io.BytesIO) -> Writer:
    """A writer with fixed ids and times."""
    return Writer(file, clock=lambda: NOON, new_id=numbered_ids())


def pages(*bodies: bytes) -> tuple[bytes, list[int]]:
    """A file with a response for each body, and the offset of each."""
    file = io.BytesIO()
    to = writer(file)
    starts = []
    for number, body in enumerate(bodies):
        starts.append(to.size)
        to.response(f"http://site.example/{number}", "200 OK", {"Content-Type": "text/html"}, body)
    return file.getvalue(), starts
