"""The message loop of a worker: each message is processed, and settled exactly once.

    receive → load → hold? → process → Outcome(status, sends) → settle → observers

One thread receives messages, and keeps those that must be held until they are due.
`worker.threads` other threads process them. Messages that end while a settlement is under way are
settled next, together: one commit for many. Messages that are not settled when the loop stops go
back to their queue.
"""

import heapq
import itertools
import math
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic

from indexer.loops.inbox import Ended, Inbox, load
from indexer.messages.message import UNKNOWN, Delivery
from indexer.messages.outcome import decide
from indexer.messages.worker import P, Result, Worker


class Runner(Generic[P]):
    """Runs one worker on one queue, until it is stopped or a thread fails."""

    def __init__(self, worker: Worker[P], inbox: Inbox) -> None:
        self._worker = worker
        self._inbox = inbox
        self._clock = inbox.clock
        # A heap, ordered by due time; the number decides between equal times.
        self._held: list[tuple[float, int, Delivery, P]] = []
        self._order = itertools.count()
        self._lock = threading.Lock()
        self._ended: list[Ended] = []
        self._settling = False
        self._failure: BaseException | None = None

    @property
    def taken(self) -> int:
        """How many messages were received and not settled."""
        return self._inbox.taken

    waiting = 0
    """How many of these wait for the end of a batch: none, this loop has no batches."""

    def run(self, stop: threading.Event) -> None:
        """Handle messages until `stop`, or until none is left. Raises the error of a thread."""
        with ThreadPoolExecutor(self._worker.threads, self._inbox.policy.step) as pool:
            try:
                for delivery in self._inbox.arrivals(stop, self._next_due):
                    if delivery is not None:
                        self._arrive(delivery, pool)
                    self._start_due(pool)
                    if self._failure is not None:
                        raise self._failure
            finally:
                pool.shutdown(wait=True, cancel_futures=True)
        if self._failure is not None:
            raise self._failure

    def _next_due(self) -> float:
        return self._held[0][0] if self._held else math.inf

    def _arrive(self, delivery: Delivery, pool: ThreadPoolExecutor) -> None:
        payload: P | None = None
        try:
            payload = load(self._worker.takes, delivery)
            wait = self._worker.hold(payload)
        except Exception as error:  # noqa: BLE001 - an error costs its message, not the program
            self._settle(delivery, payload, error, 0.0)
            return
        if wait > 0:
            due = self._clock() + wait
            heapq.heappush(self._held, (due, next(self._order), delivery, payload))
        else:
            self._submit(pool, delivery, payload)

    def _start_due(self, pool: ThreadPoolExecutor) -> None:
        while self._held and self._held[0][0] <= self._clock():
            _, _, delivery, payload = heapq.heappop(self._held)
            self._submit(pool, delivery, payload)

    def _submit(self, pool: ThreadPoolExecutor, delivery: Delivery, payload: P) -> None:
        pool.submit(self._handle, delivery, payload).add_done_callback(self._finished)

    def _finished(self, future: "Future[None]") -> None:
        # A pool keeps its threads' exceptions to itself: the receiving thread raises them.
        if not future.cancelled() and (error := future.exception()) is not None:
            self._failure = self._failure or error

    def _handle(self, delivery: Delivery, payload: P) -> None:
        started = self._clock()
        ending: Result[P] | Exception
        try:
            ending = self._worker.process(payload)
        except Exception as error:  # noqa: BLE001 - an error costs its message, not the program
            ending = error
        self._settle(delivery, payload, ending, self._clock() - started)

    def _settle(
        self,
        delivery: Delivery,
        payload: P | None,
        ending: Result[P] | Exception,
        seconds: float,
    ) -> None:
        # Read after processing, which has often learned more about the payload: its final URL.
        label, origin = ("", UNKNOWN) if payload is None else (payload.label, payload.origin)
        outcome = decide(self._inbox.policy, delivery, ending, label, seconds, origin)
        with self._lock:
            self._ended.append((delivery, outcome))
            if self._settling:
                return
            self._settling = True
        while ended := self._next_ended():
            self._inbox.settle(ended)

    def _next_ended(self) -> Sequence[Ended]:
        """The messages that ended since the last call; none ends this thread's turn to settle."""
        # Under the lock, so that no thread adds a message and leaves between the look and the end.
        with self._lock:
            ended, self._ended = self._ended, []
            self._settling = bool(ended)
            return ended
