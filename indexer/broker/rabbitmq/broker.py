"""RabbitMQ: durable quorum queues, publisher confirms, `mandatory`, an I/O thread a connection.

amqp://user:password@host:5672/vhost?connection_attempts=10&retry_delay=5
amqps://…                         with TLS, verified
…?management=https://host:15671   the management API; by default the port + 10000, same user

Delays are a message's time to live in a queue that dead-letters; RabbitMQ lets messages expire
only at the head of a queue, so one that waits longer holds up those behind it.
"""

import threading
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Self

from pika.exceptions import ChannelClosedByBroker

from indexer.broker import Consumer, Depth
from indexer.broker.differences import binding_differences
from indexer.broker.rabbitmq.address import parse
from indexer.broker.rabbitmq.channel import NOT_FOUND, Channel
from indexer.broker.rabbitmq.connection import Connection
from indexer.broker.rabbitmq.consumer import RabbitMQConsumer
from indexer.broker.rabbitmq.management import Management
from indexer.broker.rabbitmq.peeking import peek
from indexer.broker.rabbitmq.publisher import Publisher
from indexer.errors import BrokerError
from indexer.messages.message import Delivery, Send
from indexer.messages.topology import DELIVERY_LIMIT, Binding, Queue, Topology

ACCESS_REFUSED = 403
PRECONDITION_FAILED = 406
NO_LIMIT = 2**31 - 1
"""RabbitMQ 4 limits deliveries to 20 where nothing is said, and then drops what can't go on."""

_ADVICE = {
    NOT_FOUND: "; `python pipeline.py configure` makes what is missing",
    PRECONDITION_FAILED: "; it was made with other settings: empty it, "
    "`python pipeline.py delete`, and configure again",
}


class RabbitMQBroker:
    """Queues of a RabbitMQ virtual host."""

    def __init__(self, connection: Connection, management: Management) -> None:
        self._connection = connection
        self._management = management
        self._consumers: set[RabbitMQConsumer] = set()
        self._looking = threading.Lock()
        self._look_channel: Channel | None = None

    @classmethod
    def open(cls, url: str) -> Self:
        """The broker of a URL, connected. Raises ConfigurationError, BrokerError."""
        parameters, management = parse(url)
        return cls(Connection(parameters), management)

    def declare(self, topology: Topology) -> None:
        """Make what is missing, bind it, and remove old bindings that the management API lists.

        Raises BrokerError if a queue or exchange exists with other settings.
        """
        with self.channel() as channel:
            for queue in topology.queues:
                with _refused(f"queue {queue.name}"):
                    channel.ask("queue_declare", **_queue(queue))
            for name in topology.exchanges:
                with _refused(f"exchange {name}"):
                    channel.ask("exchange_declare", **_exchange(name))
            for binding in topology.bindings:
                with _refused(f"binding of {binding.queue} to {binding.exchange}"):
                    channel.ask("queue_bind", **_binding(binding))
            for binding in self._stale(topology):
                with _refused(f"binding of {binding.queue} to {binding.exchange}"):
                    channel.ask("queue_unbind", **_binding(binding))

    def declared(self, topology: Topology) -> list[str]:
        """What is missing or differs, a line each. Of bindings, if the management API answers."""
        lines = [
            *(self._look(f"queue {q.name}", "queue_declare", _queue(q)) for q in topology.queues),
            *(
                self._look(f"exchange {name}", "exchange_declare", _exchange(name))
                for name in topology.exchanges
            ),
            *self._binding_differences(topology),
        ]
        return [line for line in lines if line]

    def delete(self, topology: Topology) -> None:
        """Delete its queues, with their messages, and its exchanges."""
        with self.channel() as channel:
            for queue in topology.queues:
                with _refused(f"queue {queue.name}"):
                    channel.ask("queue_delete", queue=queue.name)
            for name in topology.exchanges:
                with _refused(f"exchange {name}"):
                    channel.ask("exchange_delete", exchange=name)

    def publish(self, sends: Iterable[Send]) -> None:
        """Publish all, many in flight; returns when all are confirmed.

        Raises Unroutable, BrokerError: some of them may have been published then.
        """
        with self.channel() as channel:
            publisher = Publisher(channel)
            for send in sends:
                publisher.publish([send], then=_nothing)
            publisher.drain(self._connection.patience.confirm)

    def consume(self, queue: str, prefetch: int) -> Consumer:
        """Take messages of a queue, at most `prefetch` unsettled at a time."""
        with _refused(f"queue {queue}"):
            consumer = RabbitMQConsumer(self._connection, queue, prefetch)
        self._consumers.difference_update([each for each in (*self._consumers,) if each.closed])
        self._consumers.add(consumer)
        return consumer

    def peek(self, queue: str, limit: int) -> Generator[Delivery, None, None]:
        """The first messages of a queue, at most `limit`: see `indexer.broker.rabbitmq.peeking`."""
        depth = self.depth(queue)
        if depth is None:
            raise BrokerError(f"no queue {queue}")
        if (count := min(limit, depth.ready)) > 0:
            found = self._management.delivery_limit(queue)
            delivery_limit = DELIVERY_LIMIT if found is None else found
            with _refused(f"queue {queue}"):
                yield from peek(self._connection, queue, count, delivery_limit)

    def queues(self) -> list[str] | None:
        """The names of all queues there are, sorted; None if the management API doesn't tell."""
        return self._management.names("queues")

    def exchanges(self) -> list[str]:
        """The names of all declared exchanges; none if the management API doesn't tell."""
        names = self._management.names("exchanges") or []
        return [name for name in names if name and not name.startswith("amq.")]

    def depth(self, queue: str) -> Depth | None:
        """How full a queue is; None if there is no such queue.

        AMQP doesn't tell what is unsettled. A consumer that holds a large batch counts several
        times (`indexer.broker.rabbitmq.consumer`).
        """
        try:
            with self._kept_channel() as channel:
                answer = channel.ask("queue_declare", queue=queue, passive=True)
        except ChannelClosedByBroker as error:
            if error.reply_code == NOT_FOUND:
                return None
            raise BrokerError(f"queue {queue}: {error.reply_text}") from error
        return Depth(answer.message_count, None, answer.consumer_count)

    def purge(self, queue: str) -> int:
        """Drop the messages that wait in a queue; how many they were."""
        with self.channel() as channel, _refused(f"queue {queue}"):
            count: int = channel.ask("queue_purge", queue=queue).message_count
            return count

    def close(self) -> None:
        """Close the consumers, and the connection."""
        with ExitStack() as stack:
            stack.callback(self._connection.close)
            while self._consumers:
                stack.callback(self._consumers.pop().close)

    @contextmanager
    def channel(self) -> Iterator[Channel]:
        """A channel for a few requests: one that is refused closes it."""
        channel = Channel(self._connection)
        try:
            yield channel
        finally:
            channel.close()

    @contextmanager
    def _kept_channel(self) -> Iterator[Channel]:
        """A channel that is kept for the next time, unless it fails: for one thread at a time."""
        with self._looking:
            if self._look_channel is None or not self._look_channel.is_usable:
                self._look_channel = Channel(self._connection)
            try:
                yield self._look_channel
            except BaseException:
                self._look_channel.close()
                raise

    def _look(self, what: str, method: str, arguments: dict[str, Any]) -> str:
        """What is wrong with a queue or exchange; "" if nothing is."""
        name = {key: arguments[key] for key in ("queue", "exchange") if key in arguments}
        try:
            with self.channel() as channel:
                channel.ask(method, **name, passive=True)
                # Now that it is there, to declare it only compares its settings.
                channel.ask(method, **arguments)
        except ChannelClosedByBroker as error:
            if error.reply_code == NOT_FOUND:
                return f"no {what}"
            if error.reply_code == PRECONDITION_FAILED:
                return f"{what} has other settings: {error.reply_text}"
            if error.reply_code == ACCESS_REFUSED:
                return ""  # a user who may only consume and publish can't compare
            raise BrokerError(f"{what}: {error.reply_text}") from error
        return ""

    def _stale(self, topology: Topology) -> Iterator[Binding]:
        wanted = set(topology.bindings)
        for name in topology.exchanges:
            bindings = self._management.bindings(name) or ()
            yield from (binding for binding in bindings if binding not in wanted)

    def _binding_differences(self, topology: Topology) -> Iterator[str]:
        for name in topology.exchanges:
            if (bound := self._management.bindings(name)) is not None:
                yield from binding_differences(topology, name, bound)


@contextmanager
def _refused(what: str) -> Iterator[None]:
    """Say what RabbitMQ refused, and what to do."""
    try:
        yield
    except ChannelClosedByBroker as error:
        advice = _ADVICE.get(error.reply_code, "")
        raise BrokerError(f"{what}: {error.reply_text}{advice}") from error


def _queue(queue: Queue) -> dict[str, Any]:
    return {"queue": queue.name, "durable": True, "arguments": _arguments(queue)}


def _arguments(queue: Queue) -> dict[str, Any]:
    if not queue.keep:
        return {"x-queue-type": "classic", "x-max-length": 0}
    if not queue.dead_letter:
        return {"x-queue-type": "quorum", "x-delivery-limit": NO_LIMIT}
    return {
        "x-queue-type": "quorum",
        "x-delivery-limit": queue.delivery_limit,
        "x-dead-letter-exchange": "",
        "x-dead-letter-routing-key": queue.dead_letter,
        # A message leaves only when the other queue has it; this needs reject-publish.
        "x-dead-letter-strategy": "at-least-once",
        "x-overflow": "reject-publish",
    }


def _exchange(name: str) -> dict[str, Any]:
    return {"exchange": name, "exchange_type": "topic", "durable": True}


def _binding(binding: Binding) -> dict[str, Any]:
    return {"queue": binding.queue, "exchange": binding.exchange, "routing_key": binding.key}


def _nothing() -> None:
    pass
