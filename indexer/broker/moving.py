"""Messages brought from one queue to another by a person's order: none is lost, whatever happens.

receive → a Send, or None: it stays → settle some hundred at once
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
"""The longest that a receive waits: how soon a stop is noticed."""

SECONDS, STUCK = 1.0, 60.0
"""How long to wait for the next message; and for one that waits, but doesn't come."""


class Moved(NamedTuple):
    """How many messages were moved, and how many of those that were looked at stayed."""

    moved: int
    stayed: int


def taken(
    consumer: Consumer,
    limit: int,
    waiting: Callable[[], int],
    silence: float = SECONDS,
    stop: threading.Event | None = None,
) -> Iterator[Delivery]:
    """What a consumer receives, `limit` messages at most, until its queue is empty.

    That is when nothing has come for `silence` seconds, and nothing is `waiting`. What waits but
    doesn't come for a minute is left to others. Ends at once when `stop` is set.
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
    """How many messages wait in a queue; none where there is no such queue."""
    depth = broker.depth(queue)
    return depth.ready if depth else 0


def move(
    broker: Broker, source: str, most: int | None, send: Callable[[Delivery], Send | None]
) -> Moved:
    """Send on the messages that wait in a queue now, `most` of them at most.

    `send` says where each goes; None: it stays. They are taken and sent on in one step each, so
    whoever is killed in the middle has lost none. Raises BrokerError.
    """
    # What is sent may come back: it isn't taken twice.
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
    """Settles some deliveries at a time."""

    def __init__(self, consumer: Consumer) -> None:
        self._consumer = consumer
        self._receipts: list[Delivery] = []
        self._sends: list[Send] = []
        self._bytes = 0
        self.moved = 0

    def add(self, delivery: Delivery, send: Send) -> None:
        self._receipts.append(replace(delivery, body=b""))
        self._sends.append(send)
        self._bytes += len(send.body)
        self.moved += 1
        if len(self._sends) >= MESSAGES or self._bytes >= BYTES:
            self.settle()

    def settle(self) -> None:
        self._consumer.settle(self._receipts, self._sends)
        self._receipts, self._sends, self._bytes = [], [], 0
