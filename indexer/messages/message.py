"""A message: what a payload promises, how a message is sent and delivered, and its limits.

The limits are those of AMQP 0-9-1. The embedded broker keeps them too, so that a pipeline that
works on a laptop works in production.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol, Self, TypeAlias

from indexer.errors import BrokerError
from indexer.messages.exchanges import Unheard

Headers: TypeAlias = Mapping[str, str | int]

DEFAULT_KEY = "default"

BAD_MESSAGE = "bad-message"
"""The status of a message whose bytes can't be read."""

DROPPED = "dropped"
"""The routing key of a payload that a step has dropped, on its way to an archive."""

KEY_HEADER = "x-mc-key"
"""The routing key that a message was first published with. A message that leaves a delay queue
arrives with the name of its queue as routing key (AMQP dead-lettering), so the first is kept
here."""


SINCE_HEADER = "x-mc-since"
"""When a message's subject was first queued, in milliseconds since the epoch. A step's output has
the time of its input, so that each step can tell how long the way to it took."""

Origin: TypeAlias = Mapping[str, str | int]
"""The facts known about where a payload came from, by the names that its family gives them: for
statistics."""

UNKNOWN: Origin = MappingProxyType({})
"""An origin of which nothing is known."""


def known(**facts: str | int | None) -> Origin:
    """The origin with the facts that are not None. It can't be changed."""
    return MappingProxyType({name: fact for name, fact in facts.items() if fact is not None})


class Payload(Protocol):
    """The content of a message in a family's terms: what its programs work on."""

    @property
    def key(self) -> str:
        """The routing key to publish the payload with."""

    @property
    def label(self) -> str:
        """The URL or id that an operator searches logs for: one line, some hundred characters."""

    @property
    def origin(self) -> Origin:
        """The payload's origin, as far as it is known now."""

    def dump(self) -> bytes:
        """The bytes of the message."""

    @classmethod
    def load(cls, data: bytes, key: str) -> Self:
        """The payload of a message's bytes; unknown fields are ignored. Raises DecodeError."""


@dataclass(frozen=True, slots=True)
class Send:
    """A message to publish: to an exchange, or, if `exchange` is "", to the queue named `key`.

    `delay`: seconds that the message waits in a queue with dead-lettering before it moves on; None:
    it stays until a consumer takes it. `unheard`: what it means that no queue takes the message.
    """

    exchange: str
    key: str
    body: bytes
    headers: Headers = field(default_factory=dict)
    delay: float | None = None
    unheard: Unheard = Unheard.ERROR


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message received from a queue, to be settled by the consumer that received it.

    `tag` identifies the delivery: a batch keeps nothing else. `deliveries` is how often the message
    was delivered, this time included. `others` are headers to show to operators: the broker's own,
    and headers of types that this project doesn't send.
    """

    tag: int
    body: bytes
    key: str = DEFAULT_KEY
    headers: Headers = field(default_factory=dict)
    deliveries: int = 1
    others: Mapping[str, object] = field(default_factory=dict)


def first_key(delivery: Delivery) -> str:
    """The routing key that a message was first published with, before any wait in a delay queue."""
    return str(delivery.headers.get(KEY_HEADER, delivery.key))


def queued_since(delivery: Delivery) -> float | None:
    """When the subject of a message was first queued, in seconds since the epoch, if known."""
    since = delivery.headers.get(SINCE_HEADER)
    return since / 1000 if isinstance(since, int) else None


def kept_headers(delivery: Delivery) -> Headers:
    """The headers of a message that moves to another queue unchanged, and its first key."""
    return {**delivery.headers, KEY_HEADER: first_key(delivery)}


MAX_KEY_BYTES = 255
MAX_HEADER_BYTES = 64 * 1024
MAX_BODY_BYTES = 128 * 1024 * 1024
"""The default limit of RabbitMQ (`max_message_size`)."""

_SMALLEST, _LARGEST = -(2**63), 2**63 - 1


def check(send: Send) -> None:
    """Raise BrokerError if a message is beyond the limits; its text names the limit."""
    # A lone surrogate can't be encoded: publishing would fail in the middle of a batch.
    for name in (send.exchange, send.key, *send.headers):
        if name.encode("utf-8", "ignore").decode() != name:
            raise BrokerError(f"a routing key, exchange or header not in Unicode: {name!a:.50}")
    if len(_encode(send.key)) > MAX_KEY_BYTES or len(_encode(send.exchange)) > MAX_KEY_BYTES:
        raise BrokerError(f"a routing key or exchange above {MAX_KEY_BYTES} bytes: {send.key:.50}…")
    if len(send.body) > MAX_BODY_BYTES:
        raise BrokerError(f"a message of {len(send.body)} bytes: the limit is {MAX_BODY_BYTES}")
    if sum(_size(name, value) for name, value in send.headers.items()) > MAX_HEADER_BYTES:
        raise BrokerError(f"headers above {MAX_HEADER_BYTES} bytes: {', '.join(send.headers):.200}")


def storable(headers: Headers) -> dict[str, str | int]:
    """The headers; a lone surrogate, which UTF-8 can't encode, is replaced by its escape."""
    return {
        name: _encode(value).decode() if isinstance(value, str) else value
        for name, value in headers.items()
    }


def _size(name: str, value: str | int) -> int:
    if isinstance(value, str):
        return len(name.encode()) + len(_encode(value))
    if not isinstance(value, int) or not _SMALLEST <= value <= _LARGEST:
        raise BrokerError(f"header {name}: not a text, nor an integer of 64 bits")
    return len(name.encode()) + 8


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
