"""Files that are written whole or not at all: written aside, synced, renamed.

After a power cut the file has its old content or its new one, never a part. Without the sync of
the file, the rename could reach the disk before the content; without the sync of the directory,
the rename may be undone.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedRandom
from pathlib import Path
from typing import BinaryIO

ASIDE = ".aside-"
"""The beginning of the names of unfinished files. A killed process may leave some behind."""


@contextmanager
def replacing(path: Path, *, durable: bool = True) -> Iterator[BufferedRandom]:
    """A new file, to write and read, that replaces `path` when the block ends without an error.

    If the block fails, `path` stays as it was. Not durable: may be lost in a power cut. Raises
    OSError.
    """
    # The name is random because two writers may replace the same path at once, also from two
    # containers, whose process ids may be equal. It doesn't contain the path's name, which may
    # already be as long as the file system allows.
    aside = path.with_name(ASIDE + secrets.token_hex(8))
    try:
        with aside.open("x+b") as file:
            yield file
            if durable:
                sync_file(file)
        move_into_place(aside, path, durable=durable)
    finally:
        with suppress(OSError):
            aside.unlink()


def write_whole(path: Path, content: bytes, *, durable: bool = True) -> None:
    """Replace the content of a file, made if missing. Raises OSError."""
    with replacing(path, durable=durable) as file:
        file.write(content)


def sync_file(file: BinaryIO) -> None:
    """Write to disk what was written to a file. Raises OSError."""
    file.flush()
    os.fsync(file.fileno())


def move_into_place(aside: Path, path: Path, *, durable: bool = True) -> None:
    """Rename a file that is complete and synced; replaces another file. Raises OSError."""
    aside.replace(path)
    if durable:
        sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Write the names in a directory to disk: new files and renames. Raises OSError."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
