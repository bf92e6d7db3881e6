"""Log files of the programs of an endless run, kept small."""

import os
import shutil
from pathlib import Path

LARGEST = 20_000_000
"""Bytes after which a log starts again; the one before is kept beside it."""


def trim(directory: Path, largest: int = LARGEST) -> None:
    """Empty each log that is too large, after a copy; its program continues to write to it.

    Lines written between the copy and the truncation are lost. Raises OSError.
    """
    for path in directory.glob("*.log"):
        if path.stat().st_size > largest:
            # Not renamed: the program would continue to write to the renamed file.
            shutil.copyfile(path, path.with_suffix(".log.1"))
            os.truncate(path, 0)
