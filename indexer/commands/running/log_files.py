"""The programs' log files, of a run that does not end: they must not grow without end."""

import os
import shutil
from pathlib import Path

LARGEST = 20_000_000
"""Bytes after which a log begins anew; the one before is kept beside it."""


def trim(directory: Path, largest: int = LARGEST) -> None:
    """Begin anew each log that is too large, while its program goes on writing to it.

    What is written in just that moment may be lost. Raises OSError.
    """
    for path in directory.glob("*.log"):
        if path.stat().st_size > largest:
            shutil.copyfile(path, path.with_suffix(".log.1"))
            os.truncate(path, 0)
