"""Consuming from RabbitMQ: a delivery is acknowledged when all its outputs are confirmed."""

from collections import deque
from collections.abc import Sequence
from typing import Any

from pika.exceptions import ChannelClosedByBroker

from indexer.broker.rabbitmq.channel import Channel
from indexer.broker.rabbitmq.connection import Connection
from indexer.broker.rabbitmq.publisher import Publisher
from indexer.broker.unheard import check_settled
from indexer.errors import BrokerError
from indexer.messages.message import Delivery, Headers, Send

PORTION = 200
"""The most messages that RabbitMQ may send ahead, whatever the prefetch: they are in memory."""

EXPIRATION = "expiration"
"""The key in `Delivery.others` of a message's time to live: milliseconds, as text."""

_DEATH_HEADERS = ("x-death", "x-first-death-", "x-last-death-", "x-delivery-count", "x-acquired-")
"""Headers that RabbitMQ adds: the history of a message, and not part of it."""


class RabbitMQConsumer:
    """Receives messages of one queue on a channel of its own. See `Consumer`.

    A prefetch above `PORTION` is requested in portions, so that the messages of a batch of
    thousands are not all in memory at once. When all messages of a portion were received, its AMQP
    consumer is cancelled, and another one is started for the next portion.
    """

    def __init__(self, connection: Connection, queue: str, prefetch: int) -> None:
        self._queue = queue
        self._prefetch = max(prefetch, 1)
        self._buffer: deque[Delivery] = deque()
        self._unsettled: set[int] = set()
        self.closed = False
        # Only the I/O thread uses these. Messages without acknowledgement: all, and those of the
        # current portion; the size of the portion; its first delivery tag, and the last one so far.
        self._held = self._held_of_portion = 0
        self._portion = min(self._prefetch, PORTION)
        self._first = self._last = 0
        # All deliveries up to `_settled` are settled, and those in `_settled_early`.
        self._settled = 0
        self._settled_early: set[int] = set()
        self._tag = ""
        self._channel = Channel(connection)
        try:
            self._publisher = Publisher(self._channel)
            # RabbitMQ cancels a consumer when its queue is deleted, without closing the channel.
            self._channel.post(lambda: self._channel.pika.add_on_cancel_callback(self._on_cancel))
            self._channel.ask("basic_qos", prefetch_count=self._portion)
            self._tag = self._channel.ask("basic_consume", **self._request()).consumer_tag
        except BaseException:
            self._channel.close()
            raise

    def receive(self, timeout: float) -> Delivery | None:
        """See `Consumer.receive`."""
        with self._channel.changed:
            if not self._channel.wait(lambda: bool(self._buffer), timeout):
                return None
            delivery = self._buffer.popleft()
            self._unsettled.add(delivery.tag)
            used_up = not self._buffer
        if used_up and self._prefetch > PORTION:
            self._channel.post(self._next_portion)
        return delivery

    def is_empty(self) -> bool:
        """See `Consumer.is_empty`."""
        # RabbitMQ answers in the order of the channel: what it sent before has arrived by then.
        try:
            answer = self._channel.ask("queue_declare", queue=self._queue, passive=True)
        except ChannelClosedByBroker as error:
            raise BrokerError(f"queue {self._queue}: {error.reply_text}") from error
        with self._channel.changed:
            return not answer.message_count and not self._buffer

    def settle(self, deliveries: Sequence[Delivery], sends: Sequence[Send] = ()) -> None:
        """See `Consumer.settle`. Waits only if too many messages are without a confirm.

        Raises BrokerError, Unroutable.
        """
        check_settled(sends)
        tags = [delivery.tag for delivery in deliveries]
        with self._channel.changed:
            self._channel.check()
            if not self._unsettled.issuperset(tags) or len(set(tags)) != len(tags):
                raise BrokerError(f"{self._queue}: settled twice, or another consumer's message")
            self._unsettled.difference_update(tags)
        # The order is the promise: first all confirms, then the acknowledgement. The other way
        # round a crash between the two would lose the outputs; this way it repeats them.
        self._publisher.publish(sends, then=lambda: self._acknowledge(tags))

    def close(self) -> None:
        """See `Consumer.close`. Raises BrokerError."""
        if self.closed:
            return
        self.closed = True
        try:
            # After a failure that the caller knows, no confirm will come.
            if not self._channel.is_failure_known:
                self._publisher.drain(self._channel.timeouts.drain)
        finally:
            self._channel.close()

    def _request(self) -> dict[str, Any]:
        return {"queue": self._queue, "on_message_callback": self._on_message}

    def _on_message(self, _: Any, method: Any, properties: Any, body: bytes) -> None:
        self._last = method.delivery_tag
        self._held += 1
        self._held_of_portion += 1
        # Without a limit: RabbitMQ sends no more than the prefetch count.
        with self._channel.changed:
            self._buffer.append(delivery_of(method, properties, body))
            self._channel.changed.notify_all()

    def _on_cancel(self, _: Any) -> None:
        self._channel.fail(BrokerError(f"queue {self._queue} was deleted, or lost its leader"))

    def _acknowledge(self, tags: Sequence[int]) -> None:
        self._held -= len(tags)
        self._held_of_portion -= sum(tag >= self._first for tag in tags)
        self._settled_early.update(tags)
        while self._settled + 1 in self._settled_early:
            self._settled += 1
            self._settled_early.remove(self._settled)
        # One acknowledgement for all deliveries before the first that is not settled. RabbitMQ
        # refuses a tag that was acknowledged before, so the last of these is named.
        channel = self._channel.pika
        if up_to := [tag for tag in tags if tag <= self._settled]:
            channel.basic_ack(max(up_to), multiple=True)
        for tag in self._settled_early.intersection(tags):
            channel.basic_ack(tag)
        self._next_portion()

    def _next_portion(self) -> None:
        """Start the next portion, if the current one was received and the prefetch has room."""
        room = self._prefetch - self._held
        if self._held_of_portion < self._portion or room <= 0 or self._buffer:
            return
        channel = self._channel.pika
        # RabbitMQ applies a new prefetch count to new AMQP consumers only. Messages that the
        # cancelled one holds stay valid: deliveries belong to the channel.
        channel.basic_cancel(self._tag, callback=_ignore)
        self._held_of_portion = 0
        self._first = self._last + 1
        self._portion = min(room, PORTION)
        channel.basic_qos(prefetch_count=self._portion)
        self._tag = channel.basic_consume(**self._request())


def delivery_of(method: Any, properties: Any, body: bytes) -> Delivery:
    """The Delivery for a message from RabbitMQ."""
    headers: dict[str, Any] = properties.headers or {}
    own = _own(headers)
    # Quorum queues count returns, and leave the header out at the first delivery.
    returns = headers.get("x-delivery-count", 0)
    others = {name: value for name, value in headers.items() if name not in own}
    if properties.expiration is not None:
        others[EXPIRATION] = properties.expiration
    return Delivery(
        tag=method.delivery_tag,
        body=body,
        key=method.routing_key,
        headers=own,
        deliveries=int(returns) + 1 if isinstance(returns, int) else 1,
        others=others,
    )


def _own(headers: dict[str, Any]) -> Headers:
    """The sender's headers, without RabbitMQ's. pika's own integer classes become int."""
    return {
        name: value if isinstance(value, str | bool) else int(value)
        for name, value in headers.items()
        if isinstance(value, str | int) and not name.startswith(_DEATH_HEADERS)
    }


def _ignore(_: object) -> None:
    # Without a callback pika expects no answer to a cancellation, and keeps the tags of cancelled
    # consumers until the channel is closed.
    pass
