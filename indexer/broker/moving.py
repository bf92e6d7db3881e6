"""Messages moved from one queue to others at an operator's command; no message is lost.

receive → a Send, or None if the message stays → settle some hundred at once
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import NamedTuple

from indexer.broker import Broker, Consumer
from indexer.broker.portions import BYTES, MESSAGES
from indexer.messages.message import Delivery, Send

PAUSE = 0.25
"""Seconds of one `receive`, after which `stop` is checked."""

SECONDS, STUCK = 1.0, 60.0
"""Seconds without a message until a queue counts as empty; and until the waiting ones are left."""


class Moved(NamedTuple):
    """The number of messages that were moved, and of those that were received and stayed."""

    moved: int
    stayed: int


def taken(
    consumer: Consumer,
    limit: int,
    waiting: Callable[[], int],
    silence: float = SECONDS,
    stop: threading.Event | None = None,
) -> Iterator[Delivery]:
    """The messages of a consumer, `limit` at most, until its queue is empty.

    The queue is empty if no message arrives for `silence` seconds and no message is `waiting`, or
    if none arrives for a minute: another consumer may hold them. Ends at once when `stop` is set.
    """
    quiet = 0.0
    pause = min(PAUSE, silence)
    while limit > 0 and not (stop and stop.is_set()):
        delivery = consumer.receive(pause)
        if delivery is not None:
            quiet = 0.0
            limit -= 1
            yield delivery
        elif (quiet := quiet + pause) >= silence and (quiet >= STUCK or not waiting()):
            return


def ready(broker: Broker, queue: str) -> int:
    """The number of messages waiting in a queue; 0 if there is no such queue."""
    depth = broker.depth(queue)
    return depth.ready if depth else 0


def move(
    broker: Broker, source: str, most: int | None, send: Callable[[Delivery], Send | None]
) -> Moved:
    """Move messages that wait in a queue now, `most` of them at most.

    `send` returns the Send for a message, or None if the message stays. Each message is published
    and acknowledged by one `settle`, so that a kill loses none. Raises BrokerError.
    """
    # Counted first: a message may be sent to the queue that it comes from.
    now = ready(broker, source)
    if not now or most == 0:
        return Moved(0, 0)
    stayed = 0
    with closing(broker.consume(source, now)) as consumer:
        mover = _Mover(consumer)
        for delivery in taken(consumer, now, lambda: ready(broker, source)):
            each = send(delivery)
            if each is None:
                stayed += 1
            else:
                mover.add(delivery, each)
            if mover.moved == most:
                break
        mover.settle()
    return Moved(mover.moved, stayed)


class _Mover:
    """Settles deliveries, many at a time."""

    def __init__(self, consumer: Consumer) -> None:
        self._consumer = consumer
        self._receipts: list[Delivery] = []
        self._sends: list[Send] = []
        self._bytes = 0
        self.moved = 0

    def add(self, delivery: Delivery, send: Send) -> None:
        # Only the tag is needed to settle: bodies of thousands of messages would fill the memory.
        self._receipts.append(replace(delivery, body=b""))
        self._sends.append(send)
        self._bytes += len(send.body)
        self.moved += 1
        if len(self._sends) >= MESSAGES or self._bytes >= BYTES:
            self.settle()

    def settle(self) -> None:
        self._consumer.settle(self._receipts, self._sends)
        self._receipts, self._sends, self._bytes = [], [], 0
