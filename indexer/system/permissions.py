"""Permissions of new files: those that hold stories or state are for their owner only.

Programs and commands set the umask of their process, so that no file is forgotten: those of SQLite,
archives, logs, locks. Existing directories and files keep their permissions.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

PRIVATE = 0o077


def _current() -> int:
    umask = os.umask(PRIVATE)
    os.umask(umask)
    return umask


STARTED_WITH = _current()
"""The umask of the user who has started the process: its bits are never given."""


def restrict(umask: str) -> None:
    """From now on new files lack these permissions (in octal), and those of the user's umask.

    With 000 the user's umask decides alone, as for files that are made to be published.
    """
    os.umask(STARTED_WITH | int(umask, 8))


@contextmanager
def private_files() -> Iterator[None]:
    """Keep new files for their owner; at the end the umask is what it was."""
    before = os.umask(STARTED_WITH | PRIVATE)
    try:
        yield
    finally:
        os.umask(before)
