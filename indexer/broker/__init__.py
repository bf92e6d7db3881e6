"""Brokers: queues of messages. A URL chooses the backend, which no other room knows.

sqlite:///data/queues.sqlite3        one file, many processes of one machine
amqp://user:password@host:5672/      RabbitMQ, quorum queues, publisher confirms

Nothing here decides where a message goes after it was processed: that is an Outcome.
"""

from collections.abc import Generator, Iterable, Sequence
from typing import NamedTuple, Protocol

from indexer.errors import ConfigurationError
from indexer.messages.message import Delivery, Send
from indexer.messages.topology import Topology


class Depth(NamedTuple):
    """The number of waiting messages in a queue, and of its consumers.

    `unsettled` messages are held by consumers; `size` is in bytes, of the waiting messages. Both
    are None if the broker doesn't provide them.
    """

    ready: int
    unsettled: int | None
    consumers: int
    size: int | None = None


class Consumer(Protocol):
    """Receives messages of one queue. Thread-safe: one thread may settle another's deliveries."""

    def receive(self, timeout: float) -> Delivery | None:
        """The next message, or None after `timeout` seconds. Raises BrokerError."""

    def is_empty(self) -> bool:
        """Whether no message waits in the queue, or is on its way from there. Raises BrokerError.

        Asked when `receive` has returned None: a busy server may need longer than its timeout.
        """

    def settle(self, deliveries: Sequence[Delivery], sends: Sequence[Send] = ()) -> None:
        """Publish `sends`; when the broker has stored all of them, delete `deliveries`.

        May return before the broker has confirmed. Then the next call of any method, `close`
        included, raises a failure as BrokerError, and the deliveries come again. A delivery of
        another consumer, or one that was settled before, is a BrokerError; so is a send that could
        be returned: it has to be published before.
        """

    def close(self) -> None:
        """Wait until all settled deliveries are confirmed; return the others to the queue.

        A message that `receive` has returned counts as delivered. A message that is returned after
        more deliveries than the queue's delivery limit goes to the queue's dead letters.
        """


class Broker(Protocol):
    """Queues and exchanges, over one connection. Thread-safe."""

    def declare(self, topology: Topology) -> None:
        """Make missing queues, exchanges and bindings; remove superfluous bindings.

        Which ones these are depends on the exchange, see `Topology`.
        """

    def declared(self, topology: Topology) -> list[str]:
        """The parts of the topology that are missing or differ, one line of text for each."""

    def delete(self, topology: Topology) -> None:
        """Delete the queues, with their messages, and the exchanges of a topology.

        A shared exchange to which something else is bound is left.
        """

    def publish(self, sends: Iterable[Send]) -> list[Send]:
        """Publish messages; return when all are on disk.

        Returns the messages, the objects themselves, that no queue took and whose meaning then is
        RETURNED. Those that are DROPPED are counted in the metric `unheard-msgs`. Raises Unroutable
        for the others, and if there is no such exchange; BrokerError.
        """

    def consume(self, queue: str, prefetch: int) -> Consumer:
        """A consumer of a queue, with at most `prefetch` unsettled messages at a time."""

    def peek(self, queue: str, limit: int) -> Generator[Delivery, None, None]:
        """The first messages of a queue, at most `limit`, which stay in the queue.

        They can't be settled. RabbitMQ has to deliver and return them, which counts as a delivery,
        but no message leaves its queue because of that. They are returned when the iterator is
        exhausted or closed. Raises BrokerError.
        """

    def queues(self) -> list[str] | None:
        """The names of all queues, sorted; None if the broker can't list them."""

    def exchanges(self) -> list[str]:
        """The names of all declared exchanges, sorted; none if the broker can't list them."""

    def routes(self) -> Topology | None:
        """All queues with their dead letters, and all bindings; None if it can't list them."""

    def depth(self, queue: str) -> Depth | None:
        """The depth of a queue; None if there is no such queue."""

    def purge(self, queue: str) -> int:
        """Delete the waiting messages of a queue; returns their number."""

    def close(self) -> None:
        """Close the consumers, then the connection."""


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
