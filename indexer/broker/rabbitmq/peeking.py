"""Looking at a RabbitMQ queue: its messages are taken, shown, and put back.

There is no other way over AMQP. What it does to a quorum queue, as measured on RabbitMQ 3.10:

- A message that comes back stays ahead of those that nobody had, behind those that came back
  before. What is put back at once stays in order if it is 32 messages or less, and more than 32
  such requests on their way become one: so they are put back by the 32, and not in haste. As a
  rule, who looks at a whole queue finds it in the same order again; a promise it is not.
- The time that a message has to live goes on; nothing expires while it is looked at.
- It counts as a delivery, and what was delivered more often than the limit of its queue says is
  dead-lettered, or dropped. A message that would leave by being put back is therefore sent to its
  queue again: at the end, its count at the beginning. One that waits to expire is not: it goes, a
  little early, where it was to go.
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
"""How many messages keep their order when they are put back at once."""

SECONDS = 1.0
"""How long to wait for messages that were there a moment ago: others may have taken them."""


class Peek:
    """One look at a queue, on a channel of its own; for one thread."""

    def __init__(self, connection: Connection, queue: str, delivery_limit: int) -> None:
        self._queue = queue
        self._delivery_limit = delivery_limit
        self._channel = Channel(connection)
        self._publisher = Publisher(self._channel)
        self._buffer: deque[Delivery] = deque()
        self._taken: list[list[int]] = []

    def messages(self, count: int) -> Iterator[Delivery]:
        """So many messages from the front of the queue, or as many as there are.

        Raises ChannelClosedByBroker, BrokerError.
        """
        while count > 0:
            portion = self._portion(min(count, PORTION))
            for delivery in portion:
                if delivery.deliveries > self._delivery_limit:
                    self._send_again(delivery)
            yield from portion
            count -= len(portion) or count

    def close(self) -> None:
        """Put the messages back. Raises BrokerError: they go back by themselves then."""
        try:
            if not self._channel.told:
                self._publisher.drain(self._channel.patience.drain)
                self._put_back()
        finally:
            self._channel.close()

    def _portion(self, count: int) -> list[Delivery]:
        """The next messages. A consumer for each portion: not more than that is in memory."""
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
        """Some at a time; each time it waits until the broker has seen to it."""
        for tags in self._taken:
            for start in range(0, len(tags), KEEPS_ORDER):
                last = tags[start : start + KEEPS_ORDER][-1]
                self._channel.post(partial(self._nack, last))
            self._channel.ask("queue_declare", queue=self._queue, passive=True)

    def _nack(self, tag: int) -> None:
        self._channel.pika.basic_nack(tag, multiple=True, requeue=True)


def peek(connection: Connection, queue: str, count: int, delivery_limit: int) -> Iterator[Delivery]:
    """The first messages of a queue, which are put back in the end, or when it is closed."""
    looking = Peek(connection, queue, delivery_limit)
    try:
        yield from looking.messages(count)
    finally:
        looking.close()
