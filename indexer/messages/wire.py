"""The bytes of a message: a line of JSON with a format version, then the body, compressed.

`head -1` shows a message. Messages of older formats still load, unknown keys are ignored, and
nothing is ever unpickled.
"""

from typing import TypeVar

import msgspec
import zstandard

from indexer.errors import DecodeError

S = TypeVar("S", bound=msgspec.Struct)

_encoder = msgspec.json.Encoder()


def dump(line: msgspec.Struct, body: bytes | None = None) -> bytes:
    """The bytes of a struct and a body; the body holds data that is large, or not text."""
    head = _encoder.encode(line)
    if body is None:
        return head + b"\n"
    # A new compressor each time: zstandard's objects must not be shared between threads.
    return b"".join((head, b"\n", zstandard.ZstdCompressor(level=3).compress(body)))


def load(
    data: bytes, line: msgspec.json.Decoder[S], what: str, newest: int, limit: int
) -> tuple[S, bytes | None]:
    """The struct of a message, and its body, or None if it has none.

    `newest` is the highest format version that this program reads; a message has its own as `v`.
    `limit` is the most bytes of an unpacked body. `what` names the kind of message in errors.
    Raises DecodeError.
    """
    head, _, tail = data.partition(b"\n")
    try:
        found = line.decode(head)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        # A newer format may have fields of other types: then its version is the better message.
        raise DecodeError(_newer(head, what, newest) or f"not a {what}: {error}") from error
    if newer := _newer(head, what, newest):
        raise DecodeError(newer)
    return found, _unpacked(tail, what, limit) if tail else None


class _Version(msgspec.Struct):
    v: int


_version = msgspec.json.Decoder(_Version)


def _newer(head: bytes, what: str, newest: int) -> str:
    """The error for a message of a newer format; "" for other messages."""
    try:
        version = _version.decode(head).v
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return ""
    if version <= newest:
        return ""
    return f"a {what} of format {version}: this program reads up to {newest}, upgrade it"


def _unpacked(body: bytes, what: str, limit: int) -> bytes:
    try:
        # The size is in the frame's header: a bomb is refused before it is unpacked.
        size = zstandard.frame_content_size(body)
        if not 0 <= size <= limit:
            raise DecodeError(f"the {what}'s page says it unpacks to {size} bytes")
        return zstandard.ZstdDecompressor().decompress(body)
    except zstandard.ZstdError as error:
        raise DecodeError(f"the {what}'s page can't be unpacked: {error}") from error
