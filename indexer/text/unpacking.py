"""Reads files that may be gzip, up to a limit of unpacked bytes."""

import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from indexer.errors import FetchError, InputError, StorageError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

GZIP = b"\x1f\x8b"
# zlib's code for "largest window, gzip header".
_GZIP_FORMAT = 31
CHUNK = 1 << 16
HEAD = 1 << 16
"""The number of first bytes that decide the type of a file."""


def unpacked(name: str, file: BinaryIO, limit: int) -> BinaryIO:
    """Return the content of a file, unpacked if its first bytes are those of gzip.

    Closing it closes the file. Reading raises InputError with the file's `name`, after all readable
    bytes, if the file is cut off or damaged or has more than `limit` bytes unpacked.
    """
    return io.BufferedReader(_Content(name, file, limit), CHUNK)


def packed(name: str, file: BinaryIO, limit: int) -> BinaryIO:
    """Return the content of a file as it is, for readers that unpack it themselves.

    Closing it closes the file. Reading raises InputError as with `unpacked`.
    """
    return io.BufferedReader(_Content(name, file, limit, may_unpack=False), CHUNK)


def some(file: BinaryIO, size: int) -> bytes:
    """Return up to `size` bytes as soon as there are any; none at the end."""
    # `read` waits for `size` bytes, and loses those it has if an error comes before the last one.
    read: Callable[[int], bytes] = getattr(file, "read1", file.read)
    return read(size)


def head_of(file: BinaryIO, size: int = HEAD) -> bytes:
    """Return the first `size` bytes of a file; fewer if it ends or fails before.

    Raises InputError if no byte can be read; a later error comes again when the file is read on.
    """
    head = b""
    try:
        while len(head) < size and (more := some(file, size - len(head))):
            head += more
    except InputError:
        if not head:
            raise
    return head


class _Content(io.RawIOBase):
    def __init__(self, name: str, file: BinaryIO, limit: int, *, may_unpack: bool = True) -> None:
        self._name = name
        self._file = file
        self._left = limit
        with input_errors(name):
            self._input = file.read(CHUNK)
        is_gzip = may_unpack and self._input.startswith(GZIP)
        self._zip = zlib.decompressobj(_GZIP_FORMAT) if is_gzip else None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        with input_errors(self._name):
            data = self._plain(len(view)) if self._zip is None else self._inflated(len(view))
        # Each piece is checked as it comes, because a bomb unpacks to a thousand times its size.
        self._left -= len(data)
        if self._left < 0:
            raise InputError(f"{self._name}: it is larger than the limit for inputs")
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()

    def _plain(self, wanted: int) -> bytes:
        if not self._input:
            return self._file.read(wanted)
        data, self._input = self._input[:wanted], self._input[wanted:]
        return data

    def _inflated(self, wanted: int) -> bytes:
        """Return some bytes; none at the end of the last member."""
        while (member := self._member()) is not None:
            packed = self._input or self._file.read(CHUNK)
            data = member.decompress(packed, wanted)
            self._input = member.unused_data if member.eof else member.unconsumed_tail
            if data:
                return data
            if not packed:
                raise InputError(f"{self._name}: the gzip file is cut off")
        return b""

    def _member(self) -> "zlib._Decompress | None":
        """Return the decompressor of the current or next member; None if only padding follows."""
        if self._zip is None or not self._zip.eof:
            return self._zip
        # A gzip file may have several members, and padding after the last one.
        while len(self._input) < len(GZIP) and (more := self._file.read(CHUNK)):
            self._input += more
        if not self._input.startswith(GZIP):
            return None
        self._zip = zlib.decompressobj(_GZIP_FORMAT)
        return self._zip


@contextmanager
def input_errors(name: str) -> Iterator[None]:
    """Raise all errors of reading an input as InputError with its name."""
    try:
        yield
    except zlib.error as error:
        raise InputError(f"{name}: the gzip file is damaged: {error}") from error
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}") from error
    except (FetchError, StorageError) as error:
        raise InputError(f"{name}: {error}") from error
