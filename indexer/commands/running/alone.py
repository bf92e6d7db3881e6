"""One run at a time in a data directory."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from indexer.errors import ConfigurationError


@contextmanager
def alone(data: Path) -> Iterator[TextIO]:
    """One run at a time in a data directory: the lock, which says what ran last."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        lock = (data / "run.lock").open("a+")
    except OSError as error:
        raise ConfigurationError(f"--data {data}: {error.strerror}") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ConfigurationError(
                f"another run is using {data}: wait for it, or give another --data"
            ) from None
        yield lock
