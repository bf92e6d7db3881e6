"""Where a command writes: standard output, or a file that is there when all is in it."""

import gzip
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from indexer.errors import StorageError


@contextmanager
def written(path: Path | None) -> Iterator[TextIO]:
    """Standard output; or a file, whole or not at all, compressed if its name ends in .gz.

    Raises StorageError.
    """
    if path is None:
        yield sys.stdout
        return
    # What is there and no file, like /dev/null, is not to be replaced by one.
    special = path.exists() and not path.is_file()
    aside = path if special else path.with_name(f".{path.name}.tmp")
    try:
        with _opened(aside, packed=path.suffix == ".gz") as file:
            yield file
        if not special:
            aside.replace(path)
    except OSError as error:
        raise StorageError(f"can't write {path}: {error.strerror}") from error
    finally:
        if not special:
            aside.unlink(missing_ok=True)


def _opened(path: Path, *, packed: bool) -> TextIO:
    # Line ends are as they are written: a CSV has its own.
    if packed:
        return gzip.open(path, "wt", encoding="utf-8", newline="")
    return path.open("w", encoding="utf-8", newline="")
