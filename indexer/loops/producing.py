"""The loop of a producer: its payloads are published in shuffled batches.

    produce → batch → shuffle → publish (confirmed) → observers; Mark: publish, then resume

Without shuffling, the messages of one site would come in a row, and a fetcher, which is polite to
each site, would wait (stories.md 3.8). Producers whose messages need no fetching turn it off.
For tests and staging, sampling queues only a part of the payloads.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import KW_ONLY, dataclass, field
from typing import ClassVar, Generic

from indexer.broker import Broker
from indexer.errors import Stopped
from indexer.loops.inbox import notify
from indexer.loops.sampling import Sampler
from indexer.messages.outcome import QUEUING, Observer, Outcome, OutcomeKind, outputs
from indexer.messages.worker import Mark, Out, Producer, Skipped

PARSED = "parsed"
"""The status of payloads in a dry run, which are not queued."""

LOOK_SECONDS = 0.5
"""The longest sleep of a producer that waits, and so the time after which it notices a stop."""


@dataclass
class ProducerRunner(Generic[Out]):
    """Runs one producer to its end, until it is stopped, or until the queues are full.

    `room` returns whether more may be queued. If not, the run ends, and the next run resumes where
    the producer's own records say; with `loop` it checks again after `pause` seconds instead.
    """

    step: str
    producer: Producer[Out]
    broker: Broker
    observers: Sequence[Observer] = ()
    _: KW_ONLY
    batch_size: int = 2500
    dry_run: bool = False
    loop: bool = False
    pause: float = 60.0
    room: Callable[[], bool] = lambda: True
    sampler: Sampler = field(default_factory=Sampler)
    shuffle: Callable[[list[Out]], None] = random.shuffle
    _batch: list[Out] = field(default_factory=list, init=False)
    _idle: bool = field(default=False, init=False)

    taken: ClassVar = 0
    waiting: ClassVar = 0

    def run(self, stop: threading.Event) -> None:
        """Queue the producer's payloads. Raises BrokerError; then no progress is recorded."""
        # Closed also after an error, so that the producer releases its claims on inputs.
        with closing(self.producer.produce()) as source:
            items = self.sampler.sample(source)
            while self._may_go_on(stop):
                item = next(items, None)
                if item is None:
                    break
                self._take(item)
            self._publish()
            # The producer, paused at a `yield`, learns that all before it is in the queue.
            with suppress(Stopped):
                source.throw(Stopped())

    def _may_go_on(self, stop: threading.Event) -> bool:
        # Room is checked between batches only: a batch that has begun is always published.
        if self._batch or self._idle:
            return not stop.is_set()
        while not stop.is_set():
            if self.room():
                return True
            if not self.loop:
                return False
            stop.wait(self.pause)
        return False

    def _take(self, item: "Out | Skipped | Mark") -> None:
        self._idle = isinstance(item, Mark) and item.idle
        if isinstance(item, Mark):
            self._publish()
        elif isinstance(item, Skipped):
            self._skip(item)
        else:
            self._batch.append(item)
            if len(self._batch) >= self.batch_size:
                self._publish()

    def _skip(self, item: Skipped) -> None:
        about = (item.status, item.label, item.why)
        skipped = Outcome(self.step, OutcomeKind.SKIPPED, *about, origin=item.origin)
        notify(self.observers, skipped)

    def _publish(self) -> None:
        batch, self._batch = self._batch, []
        if not batch:
            return
        if self.producer.shuffled:
            self.shuffle(batch)
        unserved = set() if self.dry_run else self._send(batch)
        status = PARSED if self.dry_run else QUEUING
        for payload in batch:
            if id(payload) in unserved:
                self._skip(self.producer.unserved(payload))
                continue
            queued = Outcome(
                self.step, OutcomeKind.QUEUED, status, payload.label, origin=payload.origin
            )
            notify(self.observers, queued)

    def _send(self, batch: Sequence[Out]) -> set[int]:
        """Publish a batch. Returns the `id`s of the payloads that no program serves."""
        sends = outputs(self.step, batch, self.producer.exchange, time.time())
        returned = {id(send) for send in self.broker.publish(sends)}
        pairs = zip(batch, sends, strict=True)
        return {id(payload) for payload, send in pairs if id(send) in returned}


def idle_marks(seconds: float) -> Iterator[Mark]:
    """Wait so long, within a producer; the marks let its loop see whether it is to stop."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        yield Mark(idle=True)
        time.sleep(min(left, LOOK_SECONDS))
