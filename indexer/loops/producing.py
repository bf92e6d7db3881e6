"""The loop of producers: what they yield is published in shuffled batches.

    produce → batch → shuffle → publish (confirmed) → observers; Mark: publish, then resume

Shuffling keeps one site's stories from coming in a row, for the fetcher's sake (stories.md 3.8);
producers whose stories need no fetching go without.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from typing import Generic

from indexer.broker import Broker
from indexer.errors import Stopped
from indexer.loops.runner import tell
from indexer.loops.sampling import Sampler
from indexer.messages.outcome import QUEUING, Observer, Outcome, OutcomeKind, outputs
from indexer.messages.worker import Mark, P, Producer, Skipped

PARSED = "parsed"

LOOK_SECONDS = 0.5
"""How soon a producer that waits notices that it is to stop."""


class ProducerRunner(Generic[P]):
    """Runs one producer to its end, until it is told to stop, or until the queues are full.

    `room` tells whether more may be queued; with `loop` a full queue is looked at again after
    `pause` seconds, without it the run ends, and the producer's own book-keeping lets the next
    run go on where this one stopped.
    """

    taken = 0
    waiting = 0

    def __init__(  # noqa: PLR0913 - each is one setting of the loop
        self,
        step: str,
        producer: Producer[P],
        broker: Broker,
        observers: Sequence[Observer] = (),
        *,
        batch_size: int = 2500,
        dry_run: bool = False,
        loop: bool = False,
        pause: float = 60.0,
        room: Callable[[], bool] = lambda: True,
        sampler: Sampler | None = None,
        shuffle: Callable[[list[P]], None] = random.shuffle,
    ) -> None:
        self._step = step
        self._producer = producer
        self._broker = broker
        self._observers = observers
        self._batch_size = max(1, batch_size)
        self._dry_run = dry_run
        self._loop = loop
        self._pause = pause
        self._room = room
        self._sampler = sampler or Sampler()
        self._shuffle = shuffle
        self._batch: list[P] = []
        self._idle = False

    def run(self, stop: threading.Event) -> None:
        """Queue what the producer yields. Raises BrokerError; then nothing is marked done."""
        # Closed at the end, also after an error, so that its claims on inputs are let go.
        with closing(self._producer.produce()) as source:
            items = self._sampler.sample(source)
            while self._may_go_on(stop):
                item = next(items, None)
                if item is None:
                    break
                self._take(item)
            self._publish()
            with suppress(Stopped):
                source.throw(Stopped())

    def _may_go_on(self, stop: threading.Event) -> bool:
        if self._batch or self._idle:
            return not stop.is_set()
        while not stop.is_set():
            if self._room():
                return True
            if not self._loop:
                return False
            stop.wait(self._pause)
        return False

    def _take(self, item: "P | Skipped | Mark") -> None:
        self._idle = isinstance(item, Mark) and item.idle
        if isinstance(item, Mark):
            self._publish()
        elif isinstance(item, Skipped):
            skipped = Outcome(
                self._step,
                OutcomeKind.SKIPPED,
                item.status,
                item.label,
                item.why,
                origin=item.origin,
            )
            tell(self._observers, skipped)
        else:
            self._batch.append(item)
            if len(self._batch) >= self._batch_size:
                self._publish()

    def _publish(self) -> None:
        batch, self._batch = self._batch, []
        if not batch:
            return
        if self._producer.shuffled:
            self._shuffle(batch)
        if not self._dry_run:
            self._broker.publish(outputs(self._step, batch))
        status = PARSED if self._dry_run else QUEUING
        for payload in batch:
            queued = Outcome(
                self._step, OutcomeKind.QUEUED, status, payload.label, origin=payload.origin
            )
            tell(self._observers, queued)


def pause(seconds: float) -> Iterator[Mark]:
    """For producers: wait, and let the runner see now and then whether it is to stop."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        yield Mark(idle=True)
        time.sleep(min(left, LOOK_SECONDS))
