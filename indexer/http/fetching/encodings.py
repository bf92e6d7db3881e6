"""Decodes content encodings piece by piece, so that a compression bomb is stopped at its limit.

    encoded chunks → capped → decoder of the last encoding → capped → … → decoded pieces

Gzip and deflate (RFC 9110, 8.4.1), Brotli (RFC 7932), Zstandard (RFC 8878). A body in an unknown
encoding is left unchanged, as in browsers. A stream that ends too early is an error: half a page
can't be told from a whole one.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import brotli  # type: ignore[import-untyped]  # it has no type information
import zstandard
from zlib_ng import zlib_ng

from indexer.errors import BadResponse, TooLarge

ACCEPTED = "gzip, deflate, br, zstd"

PIECE = 65_536
"""The most decoded bytes in one piece."""

# Each layer and each gzip member costs time without adding bytes, so bytes alone are no limit.
_MAX_LAYERS = 3
_MAX_MEMBERS = 1000
_ZLIB = zlib_ng.MAX_WBITS
_GZIP = zlib_ng.MAX_WBITS | 16
_GZIP_MAGIC = b"\x1f\x8b"
_ZSTD_SLICE = 256
_ZSTD_WINDOW = 8 * 1024 * 1024
"""The largest window of Zstandard on the web (RFC 9659)."""

# The types of zlib_ng call its exception class an instance.
_ERRORS: tuple[type[Exception], ...] = (
    zlib_ng.error,  # type: ignore[assignment]
    zstandard.ZstdError,
    brotli.error,
)

Pieces: TypeAlias = Iterator[bytes]


def decoded(chunks: Iterable[bytes], content_encoding: str, limit: int | None) -> Pieces:
    """The decoded bytes of a body with this Content-Encoding header, at most `limit` of them.

    Raises TooLarge beyond the limit, at any layer, and BadResponse for a broken stream.
    """
    names = [name for name in re.split(r"[,\s]+", content_encoding.lower()) if name in _DECODERS]
    if len(names) > _MAX_LAYERS:
        raise BadResponse(f"{len(names)} content encodings")
    pieces = iter(chunks)
    for name in reversed(names):
        pieces = capped(_checked(_DECODERS[name](pieces), name), limit)
    return pieces


def capped(pieces: Pieces, limit: int | None) -> Pieces:
    """The same pieces. Raises TooLarge if they have more than `limit` bytes in all."""
    size = 0
    for piece in pieces:
        size += len(piece)
        if limit is not None and size > limit:
            raise TooLarge(f"the body is larger than {limit} bytes")
        yield piece


def _checked(pieces: Pieces, name: str) -> Pieces:
    try:
        yield from pieces
    except _ERRORS as error:
        raise BadResponse(f"the body is not {name}: {error}") from error


def _gunzipped(chunks: Pieces) -> Pieces:
    """Several members may follow each other (RFC 1952); other bytes after the end are ignored."""
    machine = None
    members = 1
    for chunk in chunks:
        machine = machine or zlib_ng.decompressobj(_GZIP)
        yield from _inflated(machine, chunk)
        while machine.eof and len(rest := machine.unused_data) >= len(_GZIP_MAGIC):
            if not rest.startswith(_GZIP_MAGIC):
                return
            if (members := members + 1) > _MAX_MEMBERS:
                raise BadResponse(f"more than {_MAX_MEMBERS} gzip members")
            machine = zlib_ng.decompressobj(_GZIP)
            yield from _inflated(machine, rest)
    _ended(machine is None or machine.eof)


def _undeflated(chunks: Pieces) -> Pieces:
    """A stream with a zlib header as specified, or without, as some servers send it."""
    machine = None
    for chunk in chunks:
        machine = machine or zlib_ng.decompressobj(_ZLIB if _zlib_header(chunk) else -_ZLIB)
        yield from _inflated(machine, chunk)
    _ended(machine is None or machine.eof)


def _zlib_header(start: bytes) -> bool:
    return start[:1] == b"\x78" and (len(start) < 2 or int.from_bytes(start[:2], "big") % 31 == 0)


def _inflated(machine: "zlib_ng._Decompress", data: bytes) -> Pieces:
    while True:
        piece = machine.decompress(data, PIECE)
        yield piece
        data = machine.unconsumed_tail
        if machine.eof or (not data and len(piece) < PIECE):
            return


def _unbrotlied(chunks: Pieces) -> Pieces:
    machine = None
    for chunk in chunks:
        machine = machine or brotli.Decompressor()
        if machine.is_finished():
            return
        yield (piece := machine.process(chunk, output_buffer_limit=PIECE))
        while len(piece) >= PIECE or not machine.can_accept_more_data():
            yield (piece := machine.process(b"", output_buffer_limit=PIECE))
    _ended(machine is None or machine.is_finished())


def _unzstded(chunks: Pieces) -> Pieces:
    machine = None
    for chunk in chunks:
        machine = (
            machine or zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj()
        )
        # Four bytes can hold a block of 128 KiB, and the library decodes a whole slice at once.
        for start in range(0, len(chunk), _ZSTD_SLICE):
            if machine.eof:
                return
            yield machine.decompress(chunk[start : start + _ZSTD_SLICE])
    _ended(machine is None or machine.eof)


def _ended(complete: bool) -> None:
    if not complete:
        raise BadResponse("the body ends too early")


_DECODERS: dict[str, Callable[[Pieces], Pieces]] = {
    "gzip": _gunzipped,
    "x-gzip": _gunzipped,
    "deflate": _undeflated,
    "br": _unbrotlied,
    "zstd": _unzstded,
}
