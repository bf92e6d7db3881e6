"""The gzip members of a stream, each checked before it is returned.

After a damaged member the search for the next one starts behind its first byte. Memory holds one
member; a member that unpacks to more than the limit counts as damaged.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from zlib_ng import zlib_ng

MAX_MEMBER_BYTES = 128_000_000
"""Bytes of an unpacked record, at most: web pages are smaller, hostile files may be larger."""

MAGIC = b"\x1f\x8b\x08"
NOT_GZIP = "not gzip"

CHUNK_BYTES = 65536
"""Bytes that are read from the file at once; bytes that a piece of a member unpacks to at once."""

PIECE_BYTES = 16384
"""Bytes that are unpacked at once. Few: those behind the end of the member are copied in vain."""


class Readable(Protocol):
    """A source of bytes: a file, or an object of a blobstore."""

    def read(self, size: int = -1, /) -> bytes:
        """At most `size` bytes; b"" at the end."""


class _Broken(Exception):
    """The bytes are no complete, valid member."""


@dataclass(slots=True)
class Member:
    """A valid member: its offset in the file, and its unpacked data."""

    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Gap:
    """Bytes that are no valid member: their offset in the file, and the reason."""

    offset: int
    why: str


class Members:
    """Iterates over the members of a file, which is read as a stream."""

    def __init__(self, file: Readable, limit: int = MAX_MEMBER_BYTES) -> None:
        self._file = file
        self._limit = limit
        self._raw = bytearray()
        self._offset = 0

    def __iter__(self) -> Iterator[Member | Gap]:
        while self._raw or self._more():
            offset = self._offset
            try:
                data, used = self._unpack()
            except _Broken as error:
                yield Gap(offset, str(error))
                self._find_next()
            else:
                self._skip(used)
                yield Member(offset, data)

    def _more(self) -> bool:
        chunk = self._file.read(CHUNK_BYTES)
        self._raw += chunk
        return bool(chunk)

    def _skip(self, count: int) -> None:
        del self._raw[:count]
        self._offset += count

    def _unpack(self) -> tuple[bytes, int]:
        """The data of the member at the start of the buffer, and its size in the file."""
        while len(self._raw) < len(MAGIC) and self._more():
            pass
        if not self._raw.startswith(MAGIC[: len(self._raw)]):
            raise _Broken(NOT_GZIP)
        # The public decompressobj starts with a small buffer for the output, and copies it to grow.
        engine = zlib_ng._ZlibDecompressor(zlib_ng.MAX_WBITS | 16)  # type: ignore[no-untyped-call]
        parts: list[bytes] = []
        size = used = 0
        while not engine.eof:
            piece = self._piece(used) if engine.needs_input else b""
            part = _decompress(engine, piece, min(CHUNK_BYTES, self._limit + 1 - size))
            parts.append(part)
            size += len(part)
            used += len(piece) - len(engine.unused_data)
            # Both are limited: an endless member of empty blocks unpacks to nothing.
            if size > self._limit or used > self._limit:
                raise _Broken(f"unpacks to more than {self._limit} bytes")
        return b"".join(parts), used

    def _piece(self, start: int) -> bytearray:
        """The next bytes of the member that is being unpacked."""
        if start == len(self._raw) and not self._more():
            raise _Broken("ends in the middle of a record")
        return self._raw[start : start + PIECE_BYTES]

    def _find_next(self) -> None:
        """Move to the next possible start of a member, or to the end."""
        self._skip(1)
        while (found := self._raw.find(MAGIC)) < 0:
            # The last two bytes may be the start of a member.
            self._skip(max(0, len(self._raw) - len(MAGIC) + 1))
            if not self._more():
                self._skip(len(self._raw))
                return
        self._skip(found)


def _decompress(engine: zlib_ng._ZlibDecompressor, piece: bytes | bytearray, limit: int) -> bytes:
    try:
        return engine.decompress(piece, limit)
    except zlib_ng.error as error:  # type: ignore[misc]  # a class, but its types say otherwise
        # zlib says "Error -3 while decompressing data: incorrect data check".
        why = str(error).rpartition(": ")[2]
        raise _Broken(f"invalid gzip: {why}") from error
