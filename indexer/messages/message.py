"""What travels: a message, where it is sent, and how it is delivered."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, Self, TypeAlias

Headers: TypeAlias = Mapping[str, str | int]

DEFAULT_KEY = "default"

KEY_HEADER = "x-mc-key"
"""The key that a message was published with first: a broker that lets it out of a waiting room
gives it the queue's name."""


class Origin(NamedTuple):
    """Where what a message is about came from, as far as it is known: for statistics by source."""

    feed_id: int | None = None
    source_id: int | None = None
    domain: str | None = None


UNKNOWN = Origin()


class Payload(Protocol):
    """What a message means to a family: a `Story`, a feed to poll, a harvest request."""

    @property
    def key(self) -> str:
        """The routing key that it is published with."""

    @property
    def label(self) -> str:
        """What a person greps for: its URL or id. One line, at most some hundred characters."""

    @property
    def origin(self) -> Origin:
        """Where it came from, as far as it is known now."""

    def dump(self) -> bytes:
        """The bytes of the message."""

    @classmethod
    def load(cls, data: bytes, key: str) -> Self:
        """The payload of a message's bytes. Ignores what it doesn't know. Raises DecodeError."""


@dataclass(frozen=True, slots=True)
class Send:
    """One message on its way to an exchange, or, where `exchange` is "", to the queue named `key`.

    `delay`: seconds after which a queue that dead-letters lets it go on; None: at once.
    """

    exchange: str
    key: str
    body: bytes
    headers: Headers = field(default_factory=dict)
    delay: float | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """One message taken from a queue, to be settled by the consumer that received it.

    `tag` is the receipt: all that a batch has to keep. `deliveries` counts this one. `others` is
    what else the broker tells of it, to be shown to people: headers of its own, and those of types
    that we don't send.
    """

    tag: int
    body: bytes
    key: str = DEFAULT_KEY
    headers: Headers = field(default_factory=dict)
    deliveries: int = 1
    others: Mapping[str, object] = field(default_factory=dict)


def first_key(delivery: Delivery) -> str:
    """The routing key that a message was published with, wherever it has waited since."""
    return str(delivery.headers.get(KEY_HEADER, delivery.key))


def kept_headers(delivery: Delivery) -> Headers:
    """A message's headers, and its first key, for where it waits or is brought as it is."""
    return {**delivery.headers, KEY_HEADER: first_key(delivery)}
