"""The message loop of a worker: each message is processed, and settled exactly once.

    receive → load → hold? → process → Outcome(status, sends) → settle → observers

One thread receives messages, and keeps those that must be held until they are due. It processes
them, too, unless the worker has several threads, which do. Messages that end shortly after each
other, or while a settlement is under way, are settled together: one commit, one acknowledgement.
Messages that are not settled when the loop stops go back to their queue.
"""

import heapq
import itertools
import math
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Generic, NamedTuple

from indexer.loops.inbox import Ended, Inbox, load
from indexer.loops.requests import decide_with_requests
from indexer.messages.message import UNKNOWN, Delivery, Payload
from indexer.messages.outcome import decide
from indexer.messages.worker import Hold, In, Out, Result, Worker

TOGETHER, TOGETHER_SECONDS = 32, 0.05
"""The most messages that are settled together, and the age of the first of them, in seconds, at
which they are settled. At most half of the prefetch: the next ones arrive meanwhile."""

IDLE_SECONDS = 0.001
"""How long a single thread waits for the next message before it settles those that have ended."""


class _Arrived(NamedTuple, Generic[Out]):
    """A message to process, now or when it is due."""

    delivery: Delivery
    payload: Payload
    process: Callable[[], Result[Out]]


class Runner(Generic[In, Out]):
    """Runs one worker on one queue, until it is stopped or a thread fails."""

    def __init__(self, worker: Worker[In, Out], inbox: Inbox) -> None:
        self._worker = worker
        self._inbox = inbox
        self._clock = inbox.clock
        # A heap, ordered by due time; the number decides between equal times.
        self._held: list[tuple[float, int, _Arrived[Out]]] = []
        self._order = itertools.count()
        self._lock = threading.Lock()
        self._ended: list[Ended] = []
        self._settling = False
        self._alone = worker.threads == 1
        self._together = min(TOGETHER, worker.prefetch // 2)
        self._settle_by = 0.0
        self._failure: BaseException | None = None

    @property
    def taken(self) -> int:
        """How many messages were received and not settled."""
        return self._inbox.taken

    waiting = 0
    """How many of these wait for the end of a batch: none, this loop has no batches."""

    def run(self, stop: threading.Event) -> None:
        """Handle messages until `stop`, or until none is left. Raises the error of a thread."""
        if self._alone:
            self._receive(stop, self._handle)
        else:
            self._run_threads(stop)
        self._settle_ended(at_once=True)

    def _run_threads(self, stop: threading.Event) -> None:
        def start(arrived: "_Arrived[Out]") -> None:
            pool.submit(self._handle, arrived).add_done_callback(self._finished)

        with ThreadPoolExecutor(self._worker.threads, self._inbox.policy.step) as pool:
            try:
                self._receive(stop, start)
            finally:
                pool.shutdown(wait=True, cancel_futures=True)
        if self._failure is not None:
            raise self._failure

    def _receive(self, stop: threading.Event, start: "Callable[[_Arrived[Out]], None]") -> None:
        """Receive messages, and start each when it is due. Raises the error of a thread."""
        for delivery in self._inbox.arrivals(stop, self._next_due):
            if delivery is None:
                self._settle_waiting(at_once=self._alone)
            else:
                # A message that came before may have ended its process. The others must not share
                # its fate again: they would be quarantined with it.
                self._settle_waiting(at_once=delivery.deliveries > 1)
                self._arrive(delivery, start)
            while self._held and self._held[0][0] <= self._clock() and not stop.is_set():
                start(heapq.heappop(self._held)[-1])
            if self._failure is not None:
                raise self._failure

    def _next_due(self) -> float:
        due = self._held[0][0] if self._held else math.inf
        if not self._ended or self._settling:
            return due
        return min(due, self._clock() + IDLE_SECONDS if self._alone else self._settle_by)

    def _arrive(self, delivery: Delivery, start: "Callable[[_Arrived[Out]], None]") -> None:
        payload: In | None = None
        try:
            payload = load(self._worker.takes, delivery)
            hold = self._worker.hold(payload)
        except Exception as error:  # noqa: BLE001 - an error costs its message, not the program
            self._settle(delivery, payload, error, 0.0)
            return
        if isinstance(hold, Hold):
            seconds, process = hold.seconds, hold.then
        else:
            seconds, process = hold, partial(self._worker.process, payload)
        arrived = _Arrived(delivery, payload, process)
        if seconds > 0:
            due = self._clock() + seconds
            heapq.heappush(self._held, (due, next(self._order), arrived))
        else:
            start(arrived)

    def _finished(self, future: "Future[None]") -> None:
        # A pool keeps its threads' exceptions to itself: the receiving thread raises them.
        if not future.cancelled() and (error := future.exception()) is not None:
            self._failure = self._failure or error

    def _handle(self, arrived: "_Arrived[Out]") -> None:
        started = self._clock()
        ending: Result[Out] | Exception
        try:
            ending = arrived.process()
        except Exception as error:  # noqa: BLE001 - an error costs its message, not the program
            ending = error
        seconds = self._clock() - started
        self._settle(arrived.delivery, arrived.payload, ending, seconds)

    def _settle(
        self,
        delivery: Delivery,
        payload: Payload | None,
        ending: Result[Out] | Exception,
        seconds: float,
    ) -> None:
        # Read after processing, which has often learned more about the payload: its final URL.
        label, origin = ("", UNKNOWN) if payload is None else (payload.label, payload.origin)
        about = (label, seconds, origin)
        outcome = decide_with_requests(
            self._inbox,
            self._worker.unserved,
            ending,
            lambda ending: decide(self._inbox.policy, delivery, ending, *about),
        )
        with self._lock:
            self._ended.append((delivery, outcome))
            if len(self._ended) == 1:
                self._settle_by = self._clock() + TOGETHER_SECONDS
            if self._settling or self._may_wait():
                return
            self._settling = True
        self._settle_ended(at_once=False)

    def _may_wait(self) -> bool:
        """Whether the messages that have ended may wait for the next one."""
        # A single thread looks for a next one, others know it: it was taken, and has not ended.
        is_last = not self._alone and self._inbox.taken == len(self._ended)
        few = len(self._ended) < self._together
        return few and self._clock() < self._settle_by and not is_last

    def _settle_waiting(self, *, at_once: bool) -> None:
        """Settle the messages that wait for others, if they have waited long enough."""
        with self._lock:
            is_time = at_once or self._clock() >= self._settle_by
            if self._settling or not self._ended or not is_time:
                return
            self._settling = True
        self._settle_ended(at_once=at_once)

    def _settle_ended(self, *, at_once: bool) -> None:
        while ended := self._next_ended(at_once=at_once):
            self._inbox.settle(ended)

    def _next_ended(self, *, at_once: bool) -> Sequence[Ended]:
        """The messages that ended since the last call; none ends this thread's turn to settle."""
        # Under the lock, so that no thread adds a message and leaves between the look and the end.
        with self._lock:
            if not at_once and self._may_wait():
                ended = []
            else:
                ended, self._ended = self._ended, []
            self._settling = bool(ended)
            return ended
