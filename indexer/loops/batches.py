"""The message loop of a batch worker: many messages, one flush, one settlement.

    receive → load → add … → flush → an Outcome each → settle all at once → observers

A batch keeps receipts in memory, and the messages' bodies in a temporary file: only the few
messages that are sent again need theirs.
"""

import math
import tempfile
import threading
from dataclasses import dataclass, replace
from typing import Generic

from indexer.errors import Disposition, StoryIndexerError
from indexer.loops.inbox import Inbox, load
from indexer.loops.requests import decide_with_requests
from indexer.messages.message import UNKNOWN, Delivery, Origin
from indexer.messages.outcome import Outcome, OutcomeKind, decide
from indexer.messages.worker import BatchWorker, In, Out, Result
from indexer.metrics import timer

BATCH = timer("batch", "the end of a batch: what is done with all of it")

BODIES_IN_MEMORY = 8_000_000
"""Bytes of bodies above which the temporary file is on disk."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A delivery without its body, and the place of the body in the temporary file."""

    delivery: Delivery
    label: str
    origin: Origin
    offset: int
    length: int


class Receipts:
    """The messages of a batch until they are settled."""

    def __init__(self) -> None:
        self._bodies = tempfile.SpooledTemporaryFile(BODIES_IN_MEMORY)  # noqa: SIM115 - see close()
        self._receipts: list[Receipt] = []

    def __len__(self) -> int:
        return len(self._receipts)

    def keep(self, delivery: Delivery, label: str, origin: Origin = UNKNOWN) -> None:
        """Keep one message."""
        offset = self._bodies.seek(0, 2)
        self._bodies.write(delivery.body)
        bare = replace(delivery, body=b"")
        self._receipts.append(Receipt(bare, label, origin, offset, len(delivery.body)))

    def take(self) -> list[Receipt]:
        """All receipts, in the order of arrival."""
        return list(self._receipts)

    def whole(self, receipt: Receipt) -> Delivery:
        """A delivery with its body."""
        self._bodies.seek(receipt.offset)
        return replace(receipt.delivery, body=self._bodies.read(receipt.length))

    def clear(self) -> None:
        """Forget all messages."""
        self._receipts.clear()
        self._bodies.seek(0)
        self._bodies.truncate()

    def close(self) -> None:
        """Remove the temporary file."""
        self._bodies.close()


def is_infrastructure_failure(error: Exception) -> bool:
    """Whether an error comes from a disk, a store or an index, and so would hit every message."""
    return isinstance(error, StoryIndexerError | OSError) and not isinstance(error, Disposition)


class BatchRunner(Generic[In, Out]):
    """Runs one batch worker on one queue, until it is stopped or a flush fails."""

    def __init__(self, worker: BatchWorker[In, Out], inbox: Inbox) -> None:
        self._worker = worker
        self._inbox = inbox
        self._clock = inbox.clock
        self._receipts = Receipts()
        self._deadline = math.inf

    @property
    def taken(self) -> int:
        """How many messages were received and not settled."""
        return len(self._receipts)

    @property
    def waiting(self) -> int:
        """How many of these wait for the end of the batch: all."""
        return len(self._receipts)

    def run(self, stop: threading.Event) -> None:
        """Handle messages until `stop`, or until none is left; then end the last batch."""
        try:
            for delivery in self._inbox.arrivals(stop, lambda: self._deadline):
                if delivery is not None:
                    self._arrive(delivery)
                if self._has_ended() or (delivery is None and self._inbox.until_empty):
                    self._flush()
            self._flush()
        finally:
            self._receipts.close()

    def _has_ended(self) -> bool:
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
            if is_infrastructure_failure(error):
                raise
            outcome = decide(self._inbox.policy, delivery, error, label, origin=origin)
            self._inbox.settle([(delivery, outcome)])
        else:
            if not self._receipts:
                self._deadline = self._clock() + self._worker.seconds
            self._receipts.keep(delivery, label, origin)

    def _flush(self) -> None:
        if not self._receipts:
            return
        started = self._clock()
        results = self._worker.flush()
        seconds = self._clock() - started
        BATCH.observe(seconds)
        receipts = self._receipts.take()
        ended = [
            (receipt.delivery, self._decide(receipt, result, seconds / len(receipts)))
            for receipt, result in zip(receipts, results, strict=True)
        ]
        self._inbox.settle(ended)
        self._receipts.clear()
        self._deadline = math.inf

    def _decide(self, receipt: Receipt, result: Result[Out] | Exception, seconds: float) -> Outcome:
        return decide_with_requests(
            self._inbox,
            self._worker.unserved,
            result,
            lambda result: self._outcome(receipt, result, seconds),
        )

    def _outcome(
        self, receipt: Receipt, result: Result[Out] | Exception, seconds: float
    ) -> Outcome:
        about = (receipt.label, seconds, receipt.origin)
        outcome = decide(self._inbox.policy, receipt.delivery, result, *about)
        if outcome.kind in (OutcomeKind.DONE, OutcomeKind.DISCARD):
            return outcome
        # The message is sent again, so its body is read: that is rare, and most batches need none.
        return decide(self._inbox.policy, self._receipts.whole(receipt), result, *about)
