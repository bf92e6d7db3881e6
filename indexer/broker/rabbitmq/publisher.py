"""Publishing to RabbitMQ with confirms, many messages at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import pika
from pika.spec import Basic

from indexer.broker.rabbitmq.channel import Channel
from indexer.broker.unheard import returned
from indexer.errors import BrokerError, Unroutable
from indexer.messages.exchanges import Unheard
from indexer.messages.message import Send, check, storable

IN_FLIGHT, IN_FLIGHT_BYTES = 1000, 32 * 1024 * 1024
"""The limits for messages without a confirm; at a limit `publish` waits."""

LONGEST_DELAY = 2**32 - 1
"""RabbitMQ's limit for a time to live, in milliseconds: 49 days."""

PERSISTENT = 2


@dataclass(slots=True)
class _Batch:
    """Messages published by one call; `then` is called when all are confirmed."""

    unconfirmed: int
    size: int
    then: Callable[[], None]


class Publisher:
    """Publishes on a channel, which fails if a message is refused, or if it can't be routed and
    that is an error. `returned`: the messages that RabbitMQ returned, and that are to go back to
    their sender.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._batches: dict[int, _Batch] = {}
        # The messages without a confirm that may be returned, by their numbers.
        self._optional: dict[int, Send] = {}
        self.returned: list[Send] = []
        self._last = 0
        self._messages = self._bytes = 0
        channel.post(lambda: channel.pika.add_on_return_callback(self._on_return))
        channel.ask("confirm_delivery", ack_nack_callback=self._on_confirm)

    def publish(self, sends: Sequence[Send], then: Callable[[], None] = lambda: None) -> None:
        """Publish messages; `then` is called in the I/O thread when all are confirmed.

        Waits while too many messages are without a confirm. Raises the BrokerError or Unroutable of
        an earlier message.
        """
        for send in sends:
            check(send)
        batch = _Batch(len(sends), sum(len(send.body) for send in sends), then)
        with self._channel.changed:
            self._wait(self._has_room, self._channel.timeouts.confirm)
            self._messages += batch.unconfirmed
            self._bytes += batch.size
        self._channel.post(lambda: self._send(sends, batch))

    def drain(self, seconds: float) -> None:
        """Wait until all messages are confirmed. Raises BrokerError, Unroutable."""
        with self._channel.changed:
            self._wait(lambda: not self._messages, seconds)

    def _wait(self, condition: Callable[[], bool], seconds: float) -> None:
        if not self._channel.wait(condition, seconds):
            raise BrokerError(
                f"RabbitMQ has not confirmed messages for {seconds:g} s ({self._messages} "
                "waiting): is there a memory or disk alarm, or a node missing?"
            )

    def _has_room(self) -> bool:
        return self._messages < IN_FLIGHT and self._bytes < IN_FLIGHT_BYTES

    def _send(self, sends: Sequence[Send], batch: _Batch) -> None:
        for send in sends:
            # Confirms name a message by its number on the channel, which both sides count.
            self._last += 1
            self._batches[self._last] = batch
            if send.unheard is not Unheard.ERROR:
                self._optional[self._last] = send
            # Mandatory: otherwise RabbitMQ confirms a message that no queue receives, and drops it.
            self._channel.pika.basic_publish(
                send.exchange, send.key, send.body, _properties(send, self._last), mandatory=True
            )
        if not sends:
            batch.then()

    def _on_confirm(self, frame: Any) -> None:
        # After a failure: the messages count as lost, and their inputs must not be acknowledged.
        if not self._channel.pika.is_open:
            return
        if isinstance(frame.method, Basic.Nack):
            self._channel.fail(BrokerError("RabbitMQ refused a message: a queue is full or gone"))
            return
        # RabbitMQ confirms in any order; `multiple` confirms all messages up to a number.
        last: int = frame.method.delivery_tag
        up_to_last = takewhile(lambda tag: tag <= last, self._batches)
        tags = [*up_to_last] if frame.method.multiple else [last]
        # Before the messages are counted off: when `drain` returns, inputs must be acknowledged.
        size = sum(self._confirmed(tag) for tag in tags)
        with self._channel.changed:
            self._messages -= len(tags)
            self._bytes -= size
            self._channel.changed.notify_all()

    def _confirmed(self, tag: int) -> int:
        """Count off one message of its batch; returns the bytes of the batch if it was the last."""
        self._optional.pop(tag, None)
        batch = self._batches.pop(tag)
        batch.unconfirmed -= 1
        if batch.unconfirmed:
            return 0
        batch.then()
        return batch.size

    def _on_return(self, _channel: Any, method: Any, properties: Any, _body: bytes) -> None:
        # RabbitMQ confirms a returned message, too, but after it: it is known by then what became
        # of the message, and after an error the channel is closed.
        if properties.correlation_id is not None:
            self.returned += returned([self._optional.pop(int(properties.correlation_id))])
            return
        self._channel.fail(
            Unroutable(
                f"no queue receives messages to {method.exchange!r} with key {method.routing_key!r}"
            )
        )


def _properties(send: Send, number: int) -> pika.BasicProperties:
    expiration = None
    if send.delay is not None:
        expiration = str(min(max(round(send.delay * 1000), 0), LONGEST_DELAY))
    return pika.BasicProperties(
        delivery_mode=PERSISTENT,
        headers=storable(send.headers),
        expiration=expiration,
        # A returned message has no number, only its properties: this one says which it is.
        correlation_id=None if send.unheard is Unheard.ERROR else str(number),
    )
