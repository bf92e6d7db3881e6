"""The loop of a producer: its payloads are published in shuffled batches.

    produce → batch → shuffle → publish (confirmed) → observers; Mark: publish, then resume

Without shuffling, the stories of one site would come in a row, and the fetcher, which is polite to
each site, would wait (stories.md 3.8). Producers whose stories need no fetching turn it off.
For tests and staging, sampling queues only a part of the payloads.
"""

import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import KW_ONLY, dataclass, field
from typing import ClassVar, Generic

from indexer.broker import Broker
from indexer.errors import ConfigurationError, Stopped
from indexer.loops.inbox import notify
from indexer.messages.outcome import QUEUING, Observer, Outcome, OutcomeKind, outputs
from indexer.messages.worker import Mark, P, Producer, Skipped

PARSED = "parsed"
"""The status of payloads in a dry run, which are not queued."""

LOOK_SECONDS = 0.5
"""The longest sleep of a producer that waits, and so the time after which it notices a stop."""


DROPPED = "dropped"
"""The status of a payload that sampling leaves out."""

SAMPLE_PERCENT = 10.0
"""The part that `--sample-size` takes, so that its sample isn't all from the first file."""


class Sampler:
    """Selects a random part of the payloads: `random_sample` percent, at most `max_stories`.

    `sample_size` means ten percent, and at most that many. Without any of the three, all payloads.
    """

    def __init__(
        self,
        max_stories: int | None = None,
        random_sample: float | None = None,
        sample_size: int | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        if sample_size is not None and (max_stories is not None or random_sample is not None):
            raise ConfigurationError(
                "--sample-size is --random-sample 10 with --max-stories: give it without them"
            )
        if random_sample is not None and not 0 <= random_sample <= 100:
            raise ConfigurationError(f"--random-sample is a percentage: not {random_sample}")
        self._left = max_stories if sample_size is None else sample_size
        self._percent = random_sample if sample_size is None else SAMPLE_PERCENT
        self._chance = chance
        self.active = self._left is not None or self._percent is not None

    @property
    def done(self) -> bool:
        """Whether it has selected as many payloads as it may."""
        return self._left is not None and self._left <= 0

    def sample(self, items: Iterable[P | Skipped | Mark]) -> Iterator[P | Skipped | Mark]:
        """The items, with Skipped in place of payloads that are left out; ends when it is done."""
        # Checked before the first item: taking one makes the producer open an input.
        if self.done:
            return
        for item in items:
            if isinstance(item, Skipped | Mark) or self._wants():
                yield item
            else:
                yield Skipped(DROPPED, item.label)
            if self.done:
                return

    def _wants(self) -> bool:
        if self._percent is not None and self._chance() * 100 >= self._percent:
            return False
        if self._left is not None:
            self._left -= 1
        return True


@dataclass
class ProducerRunner(Generic[P]):
    """Runs one producer to its end, until it is stopped, or until the queues are full.

    `room` returns whether more may be queued. If not, the run ends, and the next run resumes where
    the producer's own records say; with `loop` it checks again after `pause` seconds instead.
    """

    step: str
    producer: Producer[P]
    broker: Broker
    observers: Sequence[Observer] = ()
    _: KW_ONLY
    batch_size: int = 2500
    dry_run: bool = False
    loop: bool = False
    pause: float = 60.0
    room: Callable[[], bool] = lambda: True
    sampler: Sampler = field(default_factory=Sampler)
    shuffle: Callable[[list[P]], None] = random.shuffle
    _batch: list[P] = field(default_factory=list, init=False)
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

    def _take(self, item: "P | Skipped | Mark") -> None:
        self._idle = isinstance(item, Mark) and item.idle
        if isinstance(item, Mark):
            self._publish()
        elif isinstance(item, Skipped):
            about = (item.status, item.label, item.why)
            skipped = Outcome(self.step, OutcomeKind.SKIPPED, *about, origin=item.origin)
            notify(self.observers, skipped)
        else:
            self._batch.append(item)
            if len(self._batch) >= self.batch_size:
                self._publish()

    def _publish(self) -> None:
        batch, self._batch = self._batch, []
        if not batch:
            return
        if self.producer.shuffled:
            self.shuffle(batch)
        if not self.dry_run:
            self.broker.publish(outputs(self.step, batch))
        status = PARSED if self.dry_run else QUEUING
        for payload in batch:
            queued = Outcome(
                self.step, OutcomeKind.QUEUED, status, payload.label, origin=payload.origin
            )
            notify(self.observers, queued)


def idle_marks(seconds: float) -> Iterator[Mark]:
    """Wait so long, within a producer; the marks let its loop see whether it is to stop."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        yield Mark(idle=True)
        time.sleep(min(left, LOOK_SECONDS))
