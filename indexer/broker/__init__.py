"""Brokers: where messages wait. A URL chooses one; nothing else of the project knows which.

sqlite:///data/queues.sqlite3        one file, many processes of one machine
amqp://user:password@host:5672/      RabbitMQ, quorum queues, publisher confirms
"""

from collections.abc import Generator, Iterable, Sequence
from typing import NamedTuple, Protocol

from indexer.errors import ConfigurationError
from indexer.messages.message import Delivery, Send
from indexer.messages.topology import Topology


class Depth(NamedTuple):
    """How many messages wait in a queue, and how many consumers it has.

    `unsettled` is what consumers hold, `size` the bytes of what waits; None where the broker can't
    tell.
    """

    ready: int
    unsettled: int | None
    consumers: int
    size: int | None = None


class Consumer(Protocol):
    """Takes messages of one queue. Thread-safe: any thread may settle what another received."""

    def receive(self, timeout: float) -> Delivery | None:
        """The next message, or None after `timeout` seconds. Raises BrokerError."""

    def settle(self, deliveries: Sequence[Delivery], sends: Sequence[Send] = ()) -> None:
        """Publish `sends`, and once the broker has all of them, forget `deliveries`.

        May return before the broker has confirmed; a failure is then raised (BrokerError) by the
        next call of any method, `close` included, and the deliveries come back. A delivery that
        isn't this consumer's, or was settled before, is a BrokerError.
        """

    def close(self) -> None:
        """Wait until all that was settled is confirmed; let the others go back to the queue.

        What `receive` has returned counts as delivered, and goes to the queue's dead letters once
        that has happened more often than its delivery limit says.
        """


class Broker(Protocol):
    """Queues and exchanges. One connection; safe to share between threads."""

    def declare(self, topology: Topology) -> None:
        """Make what is missing, bind it, and remove bindings of its exchanges that it lacks."""

    def declared(self, topology: Topology) -> list[str]:
        """What of the topology is missing or differs, a line each; empty when all is there."""

    def delete(self, topology: Topology) -> None:
        """Delete its queues, with their messages, and its exchanges."""

    def publish(self, sends: Iterable[Send]) -> None:
        """Publish all; returns when the broker has them durably. Raises Unroutable, BrokerError."""

    def consume(self, queue: str, prefetch: int) -> Consumer:
        """Take messages of a queue, at most `prefetch` unsettled at a time."""

    def peek(self, queue: str, limit: int) -> Generator[Delivery, None, None]:
        """The first messages of a queue, at most `limit`, which stay where they are.

        They are no one's, and can't be settled. A broker that can only look by taking and putting
        back (RabbitMQ) counts that as a delivery, but lets none leave its queue for that; it puts
        them back when the iterator is exhausted, or closed. Raises BrokerError.
        """

    def queues(self) -> list[str] | None:
        """The names of all queues there are, sorted; None if the broker can't tell."""

    def exchanges(self) -> list[str]:
        """The names of all exchanges that were declared, sorted; none if the broker can't tell."""

    def depth(self, queue: str) -> Depth | None:
        """How full a queue is; None if there is no such queue."""

    def purge(self, queue: str) -> int:
        """Drop the messages that wait in a queue; how many they were."""

    def close(self) -> None:
        """Let go of the broker. Consumers are closed first."""


def open_broker(url: str) -> Broker:
    """The broker of a URL. Raises ConfigurationError, BrokerError."""
    scheme = url.partition(":")[0].lower()
    if scheme == "sqlite":
        from indexer.broker.sqlite.broker import SQLiteBroker  # noqa: PLC0415 - only the one in use

        return SQLiteBroker.open(url)
    if scheme in ("amqp", "amqps"):
        from indexer.broker.rabbitmq.broker import RabbitMQBroker  # noqa: PLC0415

        return RabbitMQBroker.open(url)
    raise ConfigurationError(
        f"no broker for {scheme!r}: URLs start with sqlite:///, amqp:// or amqps://"
    )
