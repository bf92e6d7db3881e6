"""One run at a time in a data directory."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TextIO

from indexer.errors import ConfigurationError
from indexer.files.locks import try_lock


@contextmanager
def alone(data: Path) -> Iterator[TextIO]:
    """Keep other runs out of a data directory; gives the lock file, which names the last flavor."""
    path = data / "run.lock"
    try:
        data.mkdir(parents=True, exist_ok=True)
        lock = try_lock(path)
    except OSError as error:
        raise ConfigurationError(f"--data {data}: {error.strerror}") from error
    if lock is None:
        raise ConfigurationError(
            f"another run is using {data}: wait for it, or give another --data"
        )
    # Opened only now: an earlier run writes its flavor into the file.
    with closing(lock), path.open("a+") as file:
        yield file
