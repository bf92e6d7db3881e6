"""Parses messages of breadcrumbs for the collector (stories.md 3.10)."""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Self, TypeAlias

import msgspec

from indexer.errors import DecodeError
from indexer.loops.breadcrumbs import SLUG_LENGTH, TEXT_LENGTH, VERSION, message
from indexer.messages.message import DEFAULT_KEY, UNKNOWN, Origin
from indexer.text.cleaning import one_line

MAX_BYTES = 32_000_000
"""The maximal size of a message. Senders put a thousand crumbs into one: about 150 kB."""

Number: TypeAlias = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
Slug: TypeAlias = Annotated[str, msgspec.Meta(pattern=rf"^[!-~]{{1,{SLUG_LENGTH}}}\Z")]


class Crumb(msgspec.Struct, frozen=True, kw_only=True):
    """One outcome, with the facts of its origin that pipeview counts by; others are ignored."""

    date: date
    feed_id: Number | None = None
    source_id: Number | None = None
    domain: str | None = None
    app: Slug
    status: Slug


_line = msgspec.json.Decoder(Crumb)


@dataclass(frozen=True, slots=True)
class Crumbs:
    """A message of breadcrumbs. A `Payload`.

    `version` is empty if the header has none. Crumbs of a version that is too new are not read.
    `bad` is the number of lines that are not crumbs. `id` is the same at each redelivery.
    """

    id: str = ""
    app: str = ""
    sent_at: float = 0.0
    version: Sequence[int] = VERSION
    crumbs: Sequence[Crumb] = ()
    bad: int = 0

    @property
    def key(self) -> str:
        """The routing key, which all crumbs share."""
        return DEFAULT_KEY

    @property
    def label(self) -> str:
        """The sender, and the number of crumbs."""
        return f"{self.app or 'unknown'}: {len(self.crumbs)} crumbs"

    @property
    def origin(self) -> Origin:
        """Unknown, as the crumbs come from many stories."""
        return UNKNOWN

    @property
    def too_new(self) -> bool:
        """Whether the format has a newer major version."""
        return bool(self.version) and self.version[0] > VERSION[0]

    def dump(self) -> bytes:
        """Return a message with the same crumbs; its id differs."""
        return message(self.app, self.sent_at, map(msgspec.structs.asdict, self.crumbs))

    @classmethod
    def load(cls, data: bytes, key: str = DEFAULT_KEY) -> Self:  # noqa: ARG003 - a Payload
        """Parse a message. Raises DecodeError for other data."""
        if len(data) > MAX_BYTES:
            raise DecodeError(f"not crumbs: {len(data)} bytes, the limit is {MAX_BYTES}")
        # Only a redelivery has the same hash: the header of each message has a random id.
        id = hashlib.sha256(data).hexdigest()
        head, _, rest = data.partition(b"\n")
        if not data.strip():
            return cls(id)
        header = _header(head)
        known = cls(id, _app(header), _sent_at(header), _version(header))
        # The lines of a newer major version may have another meaning.
        if known.too_new:
            return known
        read = [_crumb(line) for line in rest.split(b"\n") if line.strip()]
        good = [each for each in read if each is not None]
        return cls(id, known.app, known.sent_at, known.version, good, len(read) - len(good))


def _header(line: bytes) -> dict[str, object]:
    try:
        header = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DecodeError(f"not crumbs: {error}") from error
    if not isinstance(header, dict):
        raise DecodeError("not crumbs: the first line is not a header")
    return header


def _app(header: dict[str, object]) -> str:
    app = header.get("app")
    return one_line(app, 100) if isinstance(app, str) else ""


def _sent_at(header: dict[str, object]) -> float:
    moment = header.get("sent_at")
    # JSON has integers that are too large for a float.
    with suppress(OverflowError):
        return float(moment) if isinstance(moment, float | int) else 0.0
    return 0.0


def _version(header: dict[str, object]) -> Sequence[int]:
    match header.get("version"):
        case [int() as major, *_]:
            return (major,)
        case _:
            return ()


def _crumb(line: bytes) -> Crumb | None:
    """Parse a line; return None if it is invalid."""
    try:
        crumb = _line.decode(line)
    # RecursionError: deeply nested JSON.
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    domain = one_line(crumb.domain or "", TEXT_LENGTH) or None
    return msgspec.structs.replace(crumb, domain=domain)
