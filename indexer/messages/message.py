"""A message: what a payload promises, how a message is sent, and how it is delivered."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, Self, TypeAlias

Headers: TypeAlias = Mapping[str, str | int]

DEFAULT_KEY = "default"

KEY_HEADER = "x-mc-key"
"""The routing key that a message was first published with. A message that leaves a delay queue
arrives with the name of its queue as routing key (AMQP dead-lettering), so the first is kept
here."""


class Origin(NamedTuple):
    """The feed, source and domain that a payload came from, as far as known: for statistics."""

    feed_id: int | None = None
    source_id: int | None = None
    domain: str | None = None


UNKNOWN = Origin()


class Payload(Protocol):
    """The content of a message in a family's terms: a `Story`, a feed to poll."""

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
    it stays until a consumer takes it.
    """

    exchange: str
    key: str
    body: bytes
    headers: Headers = field(default_factory=dict)
    delay: float | None = None


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


def kept_headers(delivery: Delivery) -> Headers:
    """The headers of a message that moves to another queue unchanged, and its first key."""
    return {**delivery.headers, KEY_HEADER: first_key(delivery)}
