"""An entry of a bundle that may be read: its names, and why other entries are refused."""

import re
from collections.abc import Callable
from typing import IO, Any, BinaryIO, Final, NamedTuple

from indexer.errors import FilesetError

UNSAFE: Final = "bundle-unsafe"
MISMATCH: Final = "bundle-mismatch"

MOST_READ: Final = 1 << 24
"""The most bytes that a reader of archives may want at once: lists of entries, headers of pax."""

_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:[/\\]")
_SEPARATOR = re.compile(r"[/\\]")


class BundleEntry(NamedTuple):
    """A file in a bundle. `names`: its path, then other ways to read the bytes of the path.

    `open` returns its content; entries are opened in their order, each before the next one.
    """

    names: tuple[str, ...]
    size: int
    open: Callable[[], IO[bytes]]


class BoundedReads:
    """A file whose reader can't be made to read it whole into memory."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def read(self, size: int = -1) -> bytes:
        """The next bytes. Raises FilesetError for more than `MOST_READ`."""
        if size > MOST_READ:
            raise unsafe(f"a list or header of {size:,} bytes")
        return self._file.read(size)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def unsafe(why: str) -> FilesetError:
    """The error for a bundle that must not be read."""
    return FilesetError(UNSAFE, why)


def check_names(names: tuple[str, ...]) -> None:
    """Raise FilesetError for a name that leads out of the folder in which a bundle is unpacked."""
    for name in names:
        if not name or "\0" in name:
            raise unsafe(f"an empty name, or one with NUL: {name!r:.200}")
        if _ABSOLUTE.match(name):
            raise unsafe(f"an absolute path: {name!r:.200}")
        if ".." in _SEPARATOR.split(name):
            raise unsafe(f"a path to the folder above: {name!r:.200}")
