"""RabbitMQ: durable quorum queues, publisher confirms, `mandatory` messages.

amqp://user:password@host:5672/vhost?connection_attempts=10&retry_delay=5
amqps://…                         with TLS, verified
…?management=https://host:15671   the management API; by default the port + 10000, same user

A delay is a message's time to live in a queue with dead letters. RabbitMQ lets messages expire only
at the head of a queue: a message with a longer delay holds up those behind it.
"""

import threading
from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from itertools import chain
from typing import Any, NamedTuple, Self

from pika.exceptions import ChannelClosedByBroker

from indexer.broker import Consumer, Depth
from indexer.broker.moving import portions
from indexer.broker.rabbitmq.address import parse
from indexer.broker.rabbitmq.channel import NOT_FOUND, Channel
from indexer.broker.rabbitmq.connection import Connection
from indexer.broker.rabbitmq.consumer import RabbitMQConsumer
from indexer.broker.rabbitmq.management import Management
from indexer.broker.rabbitmq.peeking import Peek
from indexer.broker.rabbitmq.publisher import Publisher
from indexer.errors import BrokerError
from indexer.messages.message import Delivery, Send
from indexer.messages.topology import DELIVERY_LIMIT, Binding, Destination, Queue, Topology

ACCESS_REFUSED = 403
PRECONDITION_FAILED = 406
NO_LIMIT = 2**31 - 1
"""By default RabbitMQ 4 drops a message after 20 deliveries if its queue has no dead letters."""

_MAKE_IT = "; `story-indexer pipeline configure` makes missing queues"


class RabbitMQBroker:
    """Queues of a RabbitMQ virtual host."""

    def __init__(self, connection: Connection, management: Management) -> None:
        self._connection = connection
        self._management = management
        self._consumers: set[RabbitMQConsumer] = set()
        self._depth_lock = threading.Lock()
        self._depth_channel: Channel | None = None

    @classmethod
    def open(cls, url: str) -> Self:
        """Connect to the broker of a URL. Raises ConfigurationError, BrokerError."""
        parameters, management = parse(url)
        return cls(Connection(parameters), management)

    def declare(self, topology: Topology) -> None:
        """See `Broker.declare`. Removes only bindings that the management API lists.

        Raises BrokerError if a queue or exchange exists with other settings.
        """
        try:
            self._ask_all(_declarations(topology))
        except BrokerError:
            self._check_settings(topology)
            raise
        self._ask_all(
            (_binding("bind", binding) for binding in topology.bindings),
            # Last: a message finds its new queue before it no longer finds the old one.
            (_binding("unbind", binding) for binding in self._superfluous(topology)),
        )

    def declared(self, topology: Topology) -> list[str]:
        """See `Broker.declared`. Checks bindings only if the management API answers."""
        found = (self._difference(request) for request in _declarations(topology))
        return [*filter(None, found), *self._binding_differences(topology)]

    def delete(self, topology: Topology) -> None:
        """See `Broker.delete`."""
        self._ask_all(
            _Request(f"queue {queue.name}", "queue_delete", {"queue": queue.name})
            for queue in topology.queues
        )
        self._ask_all(
            _Request(f"exchange {name}", "exchange_delete", {"exchange": name})
            for name in (*topology.exchanges, *topology.instances)
        )
        for name in topology.shared:
            self._delete_unused(name)

    def publish(self, sends: Iterable[Send]) -> list[Send]:
        """See `Broker.publish`. After an error some of the messages may have been published."""
        with self.channel() as channel:
            publisher = Publisher(channel)
            for portion in portions(sends):
                publisher.publish(portion)
            publisher.drain(self._connection.timeouts.confirm)
            return publisher.returned

    def consume(self, queue: str, prefetch: int) -> Consumer:
        """See `Broker.consume`."""
        with _refused(f"queue {queue}"):
            consumer = RabbitMQConsumer(self._connection, queue, prefetch)
        self._consumers.difference_update([each for each in (*self._consumers,) if each.closed])
        self._consumers.add(consumer)
        return consumer

    def peek(self, queue: str, limit: int) -> Generator[Delivery, None, None]:
        """See `Broker.peek`, and `indexer.broker.rabbitmq.peeking`."""
        depth = self.depth(queue)
        if depth is None:
            raise BrokerError(f"no queue {queue}")
        if (count := min(limit, depth.ready)) > 0:
            found = self._management.delivery_limit(queue)
            delivery_limit = DELIVERY_LIMIT if found is None else found
            with (
                _refused(f"queue {queue}"),
                closing(Peek(self._connection, queue, delivery_limit)) as looking,
            ):
                yield from looking.messages(count)

    def queues(self) -> list[str] | None:
        """See `Broker.queues`. None if the management API doesn't answer."""
        return self._management.names("queues")

    def exchanges(self) -> list[str]:
        """See `Broker.exchanges`. Empty if the management API doesn't answer."""
        names = self._management.names("exchanges") or []
        return [name for name in names if name and not name.startswith("amq.")]

    def routes(self) -> Topology | None:
        """See `Broker.routes`. None if the management API doesn't answer."""
        return self._management.routes()

    def depth(self, queue: str) -> Depth | None:
        """See `Broker.depth`. AMQP doesn't provide the number of unsettled messages.

        A consumer with a large prefetch may count several times, see RabbitMQConsumer.
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
        """See `Broker.purge`."""
        with self.channel() as channel, _refused(f"queue {queue}"):
            count: int = channel.ask("queue_purge", queue=queue).message_count
            return count

    def close(self) -> None:
        """See `Broker.close`."""
        with ExitStack() as stack:
            stack.callback(self._connection.close)
            while self._consumers:
                stack.callback(self._consumers.pop().close)

    def channel(self) -> AbstractContextManager[Channel]:
        """A channel for a few requests. RabbitMQ closes it if it refuses one."""
        return closing(Channel(self._connection))

    @contextmanager
    def _kept_channel(self) -> Iterator[Channel]:
        """A channel that is used again until it fails, by one thread at a time."""
        with self._depth_lock:
            if self._depth_channel is None or not self._depth_channel.is_usable:
                self._depth_channel = Channel(self._connection)
            try:
                yield self._depth_channel
            except BaseException:
                self._depth_channel.close()
                raise

    def _ask_all(self, *requests: "Iterable[_Request]") -> None:
        with self.channel() as channel:
            for what, method, arguments in chain.from_iterable(requests):
                with _refused(what):
                    channel.ask(method, **arguments)

    def _check_settings(self, topology: Topology) -> None:
        """Raise BrokerError, which names all queues and exchanges that have other settings."""
        other = [
            request.what
            for request in _declarations(topology)
            if (error := self._refusal(request)) and error.reply_code == PRECONDITION_FAILED
        ]
        if other:
            raise BrokerError(
                f"made by another system, or with other settings: {', '.join(other)}. "
                "Use a virtual host of its own, or empty these queues, `story-indexer pipeline "
                "delete`, and configure again (docs/operations/migration.md)"
            )

    def _difference(self, request: "_Request") -> str:
        """The difference of a queue or exchange, as text; "" if there is none."""
        error = self._refusal(request)
        # Other than a passive declaration, a declaration needs the permission to configure. Users
        # who may only consume and publish can't compare settings.
        if error is None or error.reply_code == ACCESS_REFUSED:
            return ""
        if error.reply_code == NOT_FOUND:
            return f"no {request.what}"
        if error.reply_code == PRECONDITION_FAILED:
            return f"{request.what} has other settings: {error.reply_text}"
        raise BrokerError(f"{request.what}: {error.reply_text}") from error

    def _refusal(self, request: "_Request") -> ChannelClosedByBroker | None:
        """The broker's refusal of a declaration that changes nothing; None if it agrees."""
        _, method, arguments = request
        name = {key: arguments[key] for key in ("queue", "exchange") if key in arguments}
        try:
            with self.channel() as channel:
                channel.ask(method, **name, passive=True)
                # It exists, so that declaring it changes nothing, and only compares the settings.
                channel.ask(method, **arguments)
        except ChannelClosedByBroker as error:
            return error
        return None

    def _delete_unused(self, exchange: str) -> None:
        """Delete an exchange unless a queue or another exchange is bound to it."""
        try:
            with self.channel() as channel:
                channel.ask("exchange_delete", exchange=exchange, if_unused=True)
        except ChannelClosedByBroker as error:
            if error.reply_code != PRECONDITION_FAILED:
                raise BrokerError(f"exchange {exchange}: {error.reply_text}") from error

    def _superfluous(self, topology: Topology) -> Iterator[Binding]:
        for name in topology.all_exchanges:
            yield from topology.superfluous(name, self._management.bindings(name) or ())

    def _binding_differences(self, topology: Topology) -> Iterator[str]:
        wanted = {binding.exchange for binding in topology.bindings}
        for name in topology.all_exchanges:
            # Instances bind their queues themselves: there is nothing to compare, or to ask for.
            if name in topology.instances and name not in wanted:
                continue
            if (bound := self._management.bindings(name)) is not None:
                yield from topology.binding_differences(name, bound)


class _Request(NamedTuple):
    """A request over AMQP, and its object, for error messages."""

    what: str
    method: str
    arguments: dict[str, Any]


def _declarations(topology: Topology) -> Iterator[_Request]:
    for queue in topology.queues:
        arguments = {"queue": queue.name, "durable": True, "arguments": _arguments(queue)}
        yield _Request(f"queue {queue.name}", "queue_declare", arguments)
    for name in topology.all_exchanges:
        arguments = {"exchange": name, "durable": True, "exchange_type": "topic"}
        yield _Request(f"exchange {name}", "exchange_declare", arguments)


@contextmanager
def _refused(what: str) -> Iterator[None]:
    """Add to RabbitMQ's refusals the object that was refused, and advice."""
    try:
        yield
    except ChannelClosedByBroker as error:
        advice = _MAKE_IT if error.reply_code == NOT_FOUND else ""
        raise BrokerError(f"{what}: {error.reply_text}{advice}") from error


def _arguments(queue: Queue) -> dict[str, Any]:
    if not queue.keep:
        return {"x-queue-type": "classic", "x-max-length": 0}
    expires = {"x-expires": round(queue.expires * 1000)} if queue.expires else {}
    if not queue.dead_letter:
        return {"x-queue-type": "quorum", "x-delivery-limit": NO_LIMIT, **expires}
    return {
        **expires,
        "x-queue-type": "quorum",
        "x-delivery-limit": queue.delivery_limit,
        "x-dead-letter-exchange": "",
        "x-dead-letter-routing-key": queue.dead_letter,
        # A message leaves this queue only when the dead-letter queue has confirmed it. By default
        # it leaves first, and is lost if the other queue can't take it. Needs reject-publish.
        "x-dead-letter-strategy": "at-least-once",
        "x-overflow": "reject-publish",
    }


def _binding(verb: str, binding: Binding) -> _Request:
    is_exchange = binding.kind is Destination.EXCHANGE
    to, source = ("destination", "source") if is_exchange else ("queue", "exchange")
    return _Request(
        f"binding of {binding.kind} {binding.destination} to {binding.exchange}",
        f"{binding.kind}_{verb}",
        {to: binding.destination, source: binding.exchange, "routing_key": binding.key},
    )
