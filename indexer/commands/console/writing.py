"""The output of a command: standard output, or a file that is written whole or not at all."""

import gzip
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO

from indexer.errors import StorageError
from indexer.files.whole_files import replacing
from indexer.system.permissions import STARTED_WITH


@contextmanager
def written(path: Path | None) -> Iterator[TextIO]:
    """Standard output; or a file, whole or not at all, compressed if its name ends in .gz.

    Raises StorageError.
    """
    if path is None:
        yield sys.stdout
        return
    # A device, like /dev/null, is written to and not replaced by a file.
    special = path.exists() and not path.is_file()
    try:
        with (
            path.open("wb") if special else replacing(path, durable=False) as file,
            _text(file, path) as text,
        ):
            if not special:
                # A result for its user, not a part of the data.
                os.fchmod(file.fileno(), 0o666 & ~STARTED_WITH)
            yield text
    except OSError as error:
        raise StorageError(f"can't write {path}: {error.strerror}") from error


@contextmanager
def _text(file: BinaryIO, path: Path) -> Iterator[TextIO]:
    # Without translation of line ends: a CSV has its own.
    if path.suffix == ".gz":
        with (
            gzip.GzipFile(path.name, "wb", fileobj=file) as packed,
            TextIOWrapper(packed, encoding="utf-8", newline="") as text,
        ):
            yield text
        return
    plain = TextIOWrapper(file, encoding="utf-8", newline="")
    yield plain
    plain.detach()  # flushes, and leaves the file open to be synced
