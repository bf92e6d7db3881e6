"""The bytes of a message: a line of JSON with a format version, then the body, compressed.

`head -1` shows a message. Messages of older formats still load, and nothing is ever unpickled.
Fields that a newer program has added are kept, and written again. A body that nobody reads is sent
on as it came.
"""

import math
from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, Self, TypeVar

import msgspec
import zstandard

from indexer.errors import DecodeError
from indexer.text.cleaning import clean, is_text

S = TypeVar("S", bound=msgspec.Struct)

MAX_DEPTH = 50
"""How deep unknown values may be nested."""

LEVEL = 1
"""The level of zstandard. On pages of 114 kB, level 3 takes 1.5 times the CPU for bodies 10 %
smaller."""

_RLE_BLOCK = 1

_encoder = msgspec.json.Encoder()


class PackedBody:
    """The body of a message. Bytes that came compressed stay so until they are read.

    It doesn't change. `size` is its number of bytes when it is not compressed.
    """

    __slots__ = ("_data", "_packed", "size")

    def __init__(self, data: bytes) -> None:
        self._data: bytes | None = data
        self._packed: bytes | None = None
        self.size = len(data)

    @classmethod
    def load(cls, packed: bytes, what: str, limit: int) -> Self:
        """A compressed body. Raises DecodeError for one that is cut, or larger than `limit`."""
        try:
            # The size is in the frame's header: a bomb is refused before it is unpacked.
            size = zstandard.frame_content_size(packed)
            if not 0 <= size <= limit:
                raise DecodeError(f"the {what}'s body says it unpacks to {size} bytes")
            if not _is_whole(packed):
                raise DecodeError(f"the {what}'s body can't be unpacked: it is cut")
        except zstandard.ZstdError as error:
            raise DecodeError(f"the {what}'s body can't be unpacked: {error}") from error
        body = cls(b"")
        body._data, body._packed, body.size = None, packed, size
        return body

    @property
    def data(self) -> bytes:
        """The bytes of the body. Raises DecodeError if they are damaged."""
        if self._data is None:
            try:
                self._data = zstandard.ZstdDecompressor().decompress(self._packed or b"")
            except (zstandard.ZstdError, MemoryError) as error:
                raise DecodeError(f"the body can't be unpacked: {error}") from error
        return self._data

    @property
    def packed(self) -> bytes:
        """The compressed bytes: those that came, if any."""
        if self._packed is None:
            # A new compressor each time: zstandard's objects must not be shared between threads.
            compressor = zstandard.ZstdCompressor(level=LEVEL)
            self._packed = compressor.compress(self._data or b"")
        return self._packed


class Loaded(NamedTuple, Generic[S]):
    """The struct of a message, its body, or None if it has none, and its unknown fields.

    `unknown` has those fields of the struct, and of the structs in it, that this program doesn't
    know, in the shape of the message. Those of list elements are not kept.
    """

    line: S
    body: PackedBody | None
    unknown: dict[str, Any]


def dump(
    line: msgspec.Struct, body: PackedBody | None = None, unknown: Mapping[str, Any] | None = None
) -> bytes:
    """The bytes of a struct, its unknown fields, and a body with data that is large, or no text."""
    head = _encoder.encode(_joined(line, unknown) if unknown else line)
    return b"".join((head, b"\n", b"" if body is None else body.packed))


def load(
    data: bytes, line: msgspec.json.Decoder[S], what: str, newest: int, limit: int
) -> Loaded[S]:
    """Read a message.

    `newest` is the highest format version that this program reads; a message has its own as `v`.
    `limit` is the most bytes of an unpacked body; the body is not unpacked. `what` names the kind
    of message in errors. Raises DecodeError.
    """
    head, _, tail = data.partition(b"\n")
    try:
        found = line.decode(head)
        # Most messages are the same when they are written again: they have no unknown fields.
        again = _encoder.encode(found)
        unknown = {} if again == head else _unknown(msgspec.json.decode(head), found)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        # A newer format may have fields of other types: then its version is the better message.
        raise DecodeError(_newer(head, what, newest) or f"not a {what}: {error}") from error
    if newer := _newer(head, what, newest):
        raise DecodeError(newer)
    return Loaded(found, PackedBody.load(tail, what, limit) if tail else None, unknown)


def sendable(value: Any, depth: int = MAX_DEPTH) -> Any:
    """A value of JSON as messages can hold it, without lone surrogates.

    Integers of more than 64 bits, numbers that are not finite, and objects and lists nested deeper
    than `depth` become None.
    """
    if isinstance(value, str):
        return value if is_text(value) else clean(value)
    if isinstance(value, dict | list) and not depth:
        return None
    if isinstance(value, dict):
        return {sendable(key): sendable(each, depth - 1) for key, each in value.items()}
    if isinstance(value, list):
        return [sendable(each, depth - 1) for each in value]
    is_finite = not isinstance(value, float) or math.isfinite(value)
    is_small = not isinstance(value, int) or -(2**63) <= value < 2**63
    return value if is_finite and is_small else None


def _unknown(values: Mapping[str, Any], known: msgspec.Struct) -> dict[str, Any]:
    """The values for which a struct, or a struct in it, has no field."""
    found = {}
    for name, value in values.items():
        inner = getattr(known, name) if name in known.__struct_fields__ else None
        if name not in known.__struct_fields__:
            found[name] = sendable(value)
        elif isinstance(inner, msgspec.Struct) and (more := _unknown(value, inner)):
            found[name] = more
    return found


def _joined(line: msgspec.Struct, unknown: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a struct and its unknown fields: the reverse of `_unknown`."""
    values: dict[str, Any] = msgspec.to_builtins(line)
    for name, value in unknown.items():
        if name not in line.__struct_fields__:
            values[name] = value
        elif isinstance(inner := getattr(line, name), msgspec.Struct) and isinstance(value, dict):
            values[name] = _joined(inner, value)
    return values


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


def _is_whole(frame: bytes) -> bool:
    """Whether a frame has all its blocks, by the lengths in their headers (RFC 8878, 3.1.1.2)."""
    at = zstandard.frame_header_size(frame)
    is_last = False
    while not is_last and at < len(frame):
        header = int.from_bytes(frame[at : at + 3], "little")
        is_last = bool(header & 1)
        at += 3 + (1 if header >> 1 & 3 == _RLE_BLOCK else header >> 3)
    return is_last and at <= len(frame)
