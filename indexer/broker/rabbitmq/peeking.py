"""Reading a RabbitMQ queue without consuming it: messages are delivered, shown, and requeued.

AMQP has no other way. The effects on a quorum queue, as measured on RabbitMQ 3.10:

- Requeued messages come before all messages that were never delivered, and behind those requeued
  earlier. Up to 32 messages requeued at once keep their order; RabbitMQ merges more than 32 such
  requests that arrive together. So messages are requeued 32 at a time, with a pause for the broker.
  The order of a whole queue usually stays the same; this is not guaranteed.
- A message's time to live continues, but no message expires while it is delivered here.
- Each look counts as a delivery. A message with more deliveries than its queue's limit would be
  dead-lettered, or dropped, when it is requeued. Such a message is published to its queue again
  instead: at the end, with a new count. A message with a time to live is not: it goes to its
  dead-letter queue, a little early.
"""

from collections import deque
from collections.abc import Iterator
from functools import partial
from typing import Any

from indexer.broker.rabbitmq.channel import Channel
from indexer.broker.rabbitmq.connection import Connection
from indexer.broker.rabbitmq.consumer import EXPIRATION, PORTION, delivery_of
from indexer.broker.rabbitmq.publisher import Publisher
from indexer.messages.message import Delivery, Send, kept_headers

KEEPS_ORDER = 32
"""The number of messages that keep their order when they are requeued together."""

SECONDS = 1.0
"""How long to wait for messages that were counted before: other consumers may have them."""


class Peek:
    """One look at a queue, on a channel of its own. Not thread-safe."""

    def __init__(self, connection: Connection, queue: str, delivery_limit: int) -> None:
        self._queue = queue
        self._delivery_limit = delivery_limit
        self._channel = Channel(connection)
        self._publisher = Publisher(self._channel)
        self._buffer: deque[Delivery] = deque()
        self._taken: list[list[int]] = []

    def messages(self, count: int) -> Iterator[Delivery]:
        """The first `count` messages of the queue, or all if it has fewer.

        Raises ChannelClosedByBroker, BrokerError.
        """
        while count > 0:
            portion = self._portion(min(count, PORTION))
            for delivery in portion:
                if delivery.deliveries > self._delivery_limit:
                    self._send_again(delivery)
            yield from portion
            # An empty portion ends it: other consumers have the rest.
            count -= len(portion) or count

    def close(self) -> None:
        """Requeue the messages. Raises BrokerError; RabbitMQ requeues them then, too."""
        try:
            if not self._channel.is_failure_known:
                self._publisher.drain(self._channel.timeouts.drain)
                self._put_back()
        finally:
            self._channel.close()

    def _portion(self, count: int) -> list[Delivery]:
        """The next messages. Each portion has its own AMQP consumer, to bound the memory."""
        channel = self._channel
        channel.ask("basic_qos", prefetch_count=count)
        request = {"queue": self._queue, "on_message_callback": self._on_message}
        tag = channel.ask("basic_consume", **request).consumer_tag
        with channel.changed:
            channel.wait(lambda: len(self._buffer) >= count, SECONDS)
        channel.ask("basic_cancel", consumer_tag=tag)
        with channel.changed:
            portion = [*self._buffer]
            self._buffer.clear()
            self._taken.append([delivery.tag for delivery in portion])
        return portion

    def _on_message(self, _: Any, method: Any, properties: Any, body: bytes) -> None:
        with self._channel.changed:
            self._buffer.append(delivery_of(method, properties, body))
            self._channel.changed.notify_all()

    def _send_again(self, delivery: Delivery) -> None:
        if EXPIRATION in delivery.others:
            return
        self._taken[-1].remove(delivery.tag)
        self._publisher.publish(
            [Send("", self._queue, delivery.body, kept_headers(delivery))],
            then=lambda: self._channel.pika.basic_ack(delivery.tag),
        )

    def _put_back(self) -> None:
        """Requeue the messages of each portion, in steps that keep the order."""
        for tags in self._taken:
            for start in range(0, len(tags), KEEPS_ORDER):
                last = tags[start : start + KEEPS_ORDER][-1]
                nack = partial(self._channel.pika.basic_nack, last, multiple=True, requeue=True)
                self._channel.post(nack)
            # Any request with an answer: RabbitMQ answers it after the requests before it.
            self._channel.ask("queue_declare", queue=self._queue, passive=True)
