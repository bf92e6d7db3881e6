"""The temporary queues of test mode: one step's, in an SQLite file, with retries at once.

file-out → P-in → program → P-out → sent-in;  P-quar stays;  P-delay, P-fast → P-in in a moment
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import structlog

from indexer.broker import Consumer
from indexer.broker.sqlite.broker import SQLiteBroker
from indexer.loops.watermarks import queued
from indexer.messages.message import Delivery, Send
from indexer.messages.topology import (
    Pipeline,
    Step,
    delay_queue,
    fast_queue,
    input_queue,
    output_exchange,
    quarantine_queue,
)

log = structlog.get_logger()

PAUSE = 0.25
"""Seconds that stand for every delay, of minutes or hours: rate limits of sites need real time."""

TURNS = 2400
"""How often a message is put back: for ten minutes. The number of retries is limited, but messages
that come too early are put back without a limit, and a test has to end."""

SOURCE, _SENT = "file", "sent"
"""The steps before and after the program: the input file, and the messages for the output file."""


class StoryFileBroker(SQLiteBroker):
    """The queues of one step, in a file that is removed with its directory."""

    def __init__(self, directory: Path, step: str) -> None:
        self.path = directory / "queues.sqlite3"
        super().__init__(self.path)
        self._step = step
        steps = [Step(SOURCE, to=[step]), Step(step, to=[_SENT]), Step(_SENT)]
        self.declare(Pipeline("test-files", steps).compile())

    def consume(self, queue: str, prefetch: int) -> Consumer:
        """See `Broker`. Retries wait for a moment, not for an hour."""
        return _Consumer(self, super().consume(queue, prefetch), self._step)

    @property
    def left(self) -> int:
        """The number of messages that the step has to handle, retries included."""
        rooms = (input_queue(self._step), delay_queue(self._step), fast_queue(self._step))
        return queued(self, rooms) or 0

    def sent(self) -> Sequence[tuple[str, str, str]]:
        """The queues to write: the name of each, and the exchange and key of its messages."""
        step = self._step
        return [
            (input_queue(_SENT), output_exchange(step), ""),
            (quarantine_queue(step), "", quarantine_queue(step)),
            (delay_queue(_SENT), "", delay_queue(step)),
            (fast_queue(_SENT), "", fast_queue(step)),
        ]


class _Consumer:
    """A `Consumer` of a step's input that finds it empty only when nothing waits for a retry."""

    def __init__(self, broker: StoryFileBroker, consumer: Consumer, step: str) -> None:
        self._broker = broker
        self._consumer = consumer
        self._input = input_queue(step)
        self._rooms = {delay_queue(step): delay_queue(_SENT), fast_queue(step): fast_queue(_SENT)}
        self._turns: Counter[int] = Counter()

    def receive(self, timeout: float) -> Delivery | None:
        """See `Consumer`. It takes longer when nothing but retries is left, and they wait."""
        wait = 0.0
        while (delivery := self._consumer.receive(wait)) is None:
            depth = self._broker.depth(self._input)
            if depth and depth.unsettled:
                # The loop has messages to handle meanwhile: it must not wait here for retries.
                return self._consumer.receive(min(timeout, PAUSE))
            if not self._broker.left:
                return None
            wait = PAUSE
        return delivery

    def settle(self, deliveries: Sequence[Delivery], sends: Sequence[Send] = ()) -> None:
        """See `Consumer`."""
        self._consumer.settle(deliveries, [self._sooner(send) for send in sends])

    def close(self) -> None:
        """See `Consumer`."""
        self._consumer.close()

    def _sooner(self, send: Send) -> Send:
        """The send of a retry with a short delay; with TURNS retries, a send to the output file."""
        if send.exchange or send.key not in self._rooms:
            return send
        story = hash(send.body)
        self._turns[story] += 1
        if self._turns[story] < TURNS:
            return replace(send, delay=PAUSE)
        log.warning(
            "put back too often: written to the file as it waits", queue=send.key, turns=TURNS
        )
        return replace(send, key=self._rooms[send.key], delay=None)
