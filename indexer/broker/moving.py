"""Messages moved from one queue to others at an operator's command; no message is lost.

receive → a Send, or None if the message stays → settle a portion at once
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from typing import NamedTuple, TypeVar

from indexer.broker import Broker, Consumer
from indexer.messages.message import Delivery, Send

T = TypeVar("T")

MESSAGES, BYTES = 500, 16 * 1024 * 1024
"""The limits of a portion. It is complete with the message that reaches one of them."""

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
    moved = stayed = 0

    def leaving(consumer: Consumer) -> Iterator[tuple[Delivery, Send]]:
        nonlocal stayed
        for delivery in taken(consumer, now, lambda: ready(broker, source)):
            if (to := send(delivery)) is None:
                stayed += 1
            else:
                # Only the tag is needed to settle: bodies of thousands would fill the memory.
                yield replace(delivery, body=b""), to

    with closing(broker.consume(source, now)) as consumer:
        for pairs in _divided(islice(leaving(consumer), most), lambda pair: len(pair[1].body)):
            consumer.settle([receipt for receipt, _ in pairs], [to for _, to in pairs])
            moved += len(pairs)
    return Moved(moved, stayed)


def portions(sends: Iterable[Send]) -> Iterator[list[Send]]:
    """The messages in lists that fit in memory, and are published in one transaction each."""
    return _divided(sends, lambda send: len(send.body))


def _divided(items: Iterable[T], size_of: Callable[[T], int]) -> Iterator[list[T]]:
    portion: list[T] = []
    size = 0
    for item in items:
        portion.append(item)
        size += size_of(item)
        if len(portion) >= MESSAGES or size >= BYTES:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


class LimitedConsumer:
    """A consumer for which the queue is empty after `limit` messages.

    For programs whose outputs may return to the queue: a message from a quarantine that is
    quarantined again must not be received again.
    """

    def __init__(self, consumer: Consumer, limit: int) -> None:
        self._consumer = consumer
        self._left = limit

    def receive(self, timeout: float) -> Delivery | None:
        """See `Consumer`."""
        if self._left <= 0:
            return None
        delivery = self._consumer.receive(timeout)
        self._left -= delivery is not None
        return delivery

    def is_empty(self) -> bool:
        """See `Consumer`."""
        return self._left <= 0 or self._consumer.is_empty()

    def settle(self, deliveries: Sequence[Delivery], sends: Sequence[Send] = ()) -> None:
        """See `Consumer`."""
        self._consumer.settle(deliveries, sends)

    def close(self) -> None:
        """See `Consumer`."""
        self._consumer.close()
