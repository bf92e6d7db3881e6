"""Whether this process does its work: it has what it needs, and is not ending."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_working = threading.Event()


@contextmanager
def working() -> Iterator[None]:
    """Be ready for the time of the context."""
    _working.set()
    try:
        yield
    finally:
        _working.clear()


def is_ready() -> bool:
    """Whether the process does its work now."""
    return _working.is_set()
