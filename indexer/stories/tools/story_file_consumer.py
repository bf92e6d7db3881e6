"""The consumer of a file: what is to be tried again comes again at once (stories.md 3.9).

file → receive → … → settle(sends) → again, if they are for the step's waiting rooms
                                   → written, whatever else they are
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import structlog

from indexer.errors import BrokerError
from indexer.messages.message import Delivery, Send
from indexer.messages.topology import delay_queue, fast_queue

log = structlog.get_logger()

TURN = "turn"
"""A header that counts how often a message came; it is neither read from files nor written."""


class StoryFileConsumer:
    """A `Consumer` of messages that are read from somewhere, once.

    At most `prefetch` are unsettled, and at most as many wait to come again: a file is not read
    into memory. `receive` returns None when nothing is left, or all of it is unsettled.
    """

    pause = 0.25
    """Seconds that stand for every delay, of minutes or hours: sites' paces need some real time."""

    turns = 2400
    """How often in a row a message may be put back: for ten minutes. Retries have a number, but
    what comes too early is put back for ever, and no test can wait for that."""

    def __init__(
        self,
        step: str,
        messages: Iterator[Send],
        prefetch: int,
        write: Callable[[Sequence[Send]], None],
    ) -> None:
        self._rooms = (delay_queue(step), fast_queue(step))
        self._messages = messages
        self._prefetch = prefetch
        self._write = write
        self._changed = threading.Condition()
        self._line: deque[tuple[float, Send]] = deque()
        self._unsettled: set[int] = set()
        self._tags = 0
        self._at_end = False

    @property
    def finished(self) -> bool:
        """Whether every message was received, and settled for good."""
        return self._at_end and not self._line and not self._unsettled

    def receive(self, timeout: float) -> Delivery | None:
        """See `Consumer`. It may take longer by the pause, if only what comes again is left."""
        end = time.monotonic() + timeout
        with self._changed:
            while (send := self._next()) is None:
                now = time.monotonic()
                if now >= end if self._unsettled else not self._line:
                    return None
                self._changed.wait(self._patience(now, end))
            return self._deliver(send)

    def settle(self, deliveries: Sequence[Delivery], sends: Sequence[Send] = ()) -> None:
        """See `Consumer`."""
        tags = {delivery.tag for delivery in deliveries}
        with self._changed:
            if len(tags) < len(deliveries) or not tags <= self._unsettled:
                raise BrokerError("a delivery that is not this consumer's, or was settled before")
            again: list[Send] = []
            written: list[Send] = []
            for send in sends:
                (again if self._comes_again(send) else written).append(send)
            self._write([_without_turn(send) for send in written])
            due = time.monotonic() + self.pause
            self._line.extend((due, send) for send in again)
            self._unsettled -= tags
            self._changed.notify_all()

    def close(self) -> None:
        """See `Consumer`. There is no queue that anything could go back to."""

    def _next(self) -> Send | None:
        if len(self._unsettled) >= self._prefetch:
            return None
        if self._line and self._line[0][0] <= time.monotonic():
            return self._line.popleft()[1]
        if self._at_end or len(self._line) >= self._prefetch:
            return None
        send = next(self._messages, None)
        self._at_end = send is None
        return send

    def _patience(self, now: float, end: float) -> float:
        """How many seconds to wait: until `end`, or until the next comes again."""
        if not self._unsettled:
            end = self._line[0][0]
        elif self._line and len(self._unsettled) < self._prefetch:
            end = min(end, self._line[0][0])
        return max(0.0, end - now)

    def _deliver(self, send: Send) -> Delivery:
        self._tags += 1
        self._unsettled.add(self._tags)
        turn = int(send.headers.get(TURN, 0)) + 1
        return Delivery(self._tags, send.body, headers={**send.headers, TURN: turn})

    def _comes_again(self, send: Send) -> bool:
        if send.exchange or send.key not in self._rooms:
            return False
        turn = int(send.headers.get(TURN, 0))
        if turn >= self.turns:
            log.warning("put back too often: written as it waits", queue=send.key, turns=turn)
        return turn < self.turns


def _without_turn(send: Send) -> Send:
    return replace(send, headers={k: v for k, v in send.headers.items() if k != TURN})
