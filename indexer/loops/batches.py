"""The loop of batch workers: many messages, one flush, one settlement.

    receive → load → add … → flush → an Outcome each → settle all at once → observers

A batch keeps receipts, not bodies: the bodies wait in a temporary file, for the few that are
sent again.
"""

import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from indexer.broker import Consumer
from indexer.errors import Disposition, StoryIndexerError
from indexer.loops.runner import POLL_SECONDS, load, tell
from indexer.messages.message import UNKNOWN, Delivery, Origin
from indexer.messages.outcome import Observer, Outcome, OutcomeKind, RetryPolicy, decide
from indexer.messages.worker import BatchWorker, P, Result
from indexer.metrics import timer

BATCH = timer("batch", "the end of a batch: what is done with all of it")

BODIES_IN_MEMORY = 8_000_000
"""Bytes of bodies above which they are kept on disk."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A delivery without its body, and where the body is."""

    delivery: Delivery
    label: str
    origin: Origin
    offset: int
    length: int


class Receipts:
    """What a batch has to keep of its messages until they are settled."""

    def __init__(self) -> None:
        self._bodies = tempfile.SpooledTemporaryFile(BODIES_IN_MEMORY)  # noqa: SIM115 - closed by close()
        self._receipts: list[Receipt] = []

    def __len__(self) -> int:
        return len(self._receipts)

    def keep(self, delivery: Delivery, label: str, origin: Origin = UNKNOWN) -> None:
        """Keep one."""
        offset = self._bodies.seek(0, 2)
        self._bodies.write(delivery.body)
        bare = replace(delivery, body=b"")
        receipt = Receipt(bare, label, origin, offset, len(delivery.body))
        self._receipts.append(receipt)

    def take(self) -> list[Receipt]:
        """All of them, without their bodies, in order."""
        return list(self._receipts)

    def whole(self, number: int) -> Delivery:
        """One delivery with its body."""
        receipt = self._receipts[number]
        self._bodies.seek(receipt.offset)
        return replace(receipt.delivery, body=self._bodies.read(receipt.length))

    def clear(self) -> None:
        """Forget them."""
        self._receipts.clear()
        self._bodies.seek(0)
        self._bodies.truncate()

    def close(self) -> None:
        """Drop the temporary file."""
        self._bodies.close()


def _is_everybodys(error: Exception) -> bool:
    """Whether it is not the message's fault: a disk, a store, an index, that fails for all."""
    return isinstance(error, StoryIndexerError | OSError) and not isinstance(error, Disposition)


class BatchRunner(Generic[P]):
    """Runs one batch worker on one queue until it is told to stop, or a flush fails.

    With `until_empty` it also ends when no message is left.
    """

    def __init__(
        self,
        worker: BatchWorker[P],
        consumer: Consumer,
        policy: RetryPolicy,
        observers: Sequence[Observer] = (),
        clock: Callable[[], float] = time.monotonic,
        *,
        until_empty: bool = False,
    ) -> None:
        self._until_empty = until_empty
        self._worker = worker
        self._consumer = consumer
        self._policy = policy
        self._observers = observers
        self._clock = clock
        self._receipts = Receipts()
        self._deadline = 0.0

    @property
    def taken(self) -> int:
        """How many messages it has received and not settled."""
        return len(self._receipts)

    @property
    def waiting(self) -> int:
        """How many of those wait for the batch to end: all."""
        return len(self._receipts)

    def run(self, stop: threading.Event) -> None:
        """Handle messages until `stop`, or until none is left; then end the last batch."""
        try:
            while not stop.is_set():
                delivery = self._consumer.receive(self._patience())
                if delivery is not None:
                    self._arrive(delivery)
                elif self._until_empty and not self._receipts:
                    break
                if self._ended() or (delivery is None and self._until_empty):
                    self._flush()
            self._flush()
        finally:
            self._receipts.close()

    def _patience(self) -> float:
        if not self._receipts:
            return POLL_SECONDS
        return min(POLL_SECONDS, max(0.0, self._deadline - self._clock()))

    def _ended(self) -> bool:
        if not self._receipts:
            return False
        full = len(self._receipts) >= self._worker.size or self._worker.full
        return full or self._clock() >= self._deadline

    def _arrive(self, delivery: Delivery) -> None:
        label, origin = "", UNKNOWN
        try:
            payload = load(self._worker.takes, delivery)
            label, origin = payload.label, payload.origin
            add = self._worker.add if delivery.deliveries <= 1 else self._worker.add_again
            add(payload)
        except Exception as error:
            if _is_everybodys(error):
                raise
            outcome = decide(self._policy, delivery, error, label, origin=origin)
            self._settle([outcome], [delivery])
        else:
            if not self._receipts:
                self._deadline = self._clock() + self._worker.seconds
            self._receipts.keep(delivery, label, origin)

    def _flush(self) -> None:
        if not self._receipts:
            return
        started = self._clock()
        results = self._worker.flush()
        BATCH.observe(self._clock() - started)
        each = (self._clock() - started) / len(self._receipts)
        kept = self._receipts.take()
        outcomes = [
            self._decide(number, receipt, result, each)
            for number, (receipt, result) in enumerate(zip(kept, results, strict=True))
        ]
        self._settle(outcomes, [receipt.delivery for receipt in kept])
        self._receipts.clear()

    def _decide(
        self,
        number: int,
        receipt: Receipt,
        result: Result[P] | Exception,
        seconds: float,
    ) -> Outcome:
        about = (receipt.label, seconds, receipt.origin)
        outcome = decide(self._policy, receipt.delivery, result, *about)
        if outcome.kind in (OutcomeKind.DONE, OutcomeKind.DISCARD):
            return outcome
        # It is sent again: with its body.
        return decide(self._policy, self._receipts.whole(number), result, *about)

    def _settle(self, outcomes: Sequence[Outcome], deliveries: Sequence[Delivery]) -> None:
        sends = [send for outcome in outcomes for send in outcome.sends]
        self._consumer.settle(deliveries, sends)
        for outcome in outcomes:
            tell(self._observers, outcome)
