"""The message loop: a Runner has a worker.

    receive → load → hold? → process → Outcome(status, sends) → settle → observers

One thread receives, and keeps what must be held until it is due; `worker.threads` of them
process. A message is settled exactly once, with one Outcome; what ends while others are being
settled is settled next, together: one commit for many. What isn't settled when the runner stops
goes back to its queue.
"""

import heapq
import itertools
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic

from indexer.broker import Consumer
from indexer.errors import DecodeError, Quarantine
from indexer.messages.message import UNKNOWN, Delivery, first_key
from indexer.messages.outcome import Observer, Outcome, RetryPolicy, decide
from indexer.messages.worker import P, Result, Worker

POLL_SECONDS = 0.25
"""The longest that a receive waits: how soon a stop is noticed."""

BAD_MESSAGE = "bad-message"


class Runner(Generic[P]):
    """Runs one worker on one queue until it is told to stop, or a thread fails.

    With `until_empty` it also ends when no message is left.
    """

    def __init__(
        self,
        worker: Worker[P],
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
        self._held: list[tuple[float, int, Delivery, P]] = []
        self._order = itertools.count()
        self._taken = 0
        self._lock = threading.Lock()
        self._ended: list[tuple[Delivery, Outcome]] = []
        self._settling = False
        self._failure: BaseException | None = None

    @property
    def taken(self) -> int:
        """How many messages it has received and not settled."""
        return self._taken

    waiting = 0
    """How many of those wait for a batch to end: none here."""

    def run(self, stop: threading.Event) -> None:
        """Handle messages until `stop`, or until none is left. Raises what a thread raised."""
        with ThreadPoolExecutor(self._worker.threads, self._policy.step) as pool:
            try:
                while not stop.is_set() and self._failure is None:
                    self._start_due(pool)
                    delivery = self._consumer.receive(self._patience())
                    if delivery is not None:
                        self._arrive(delivery, pool)
                    elif self._until_empty and self._taken == 0:
                        break
            finally:
                pool.shutdown(wait=True, cancel_futures=True)
        if self._failure is not None:
            raise self._failure

    def _patience(self) -> float:
        """How long to wait for the next message: not beyond what is due next."""
        if not self._held:
            return POLL_SECONDS
        return min(POLL_SECONDS, max(0.0, self._held[0][0] - self._clock()))

    def _arrive(self, delivery: Delivery, pool: ThreadPoolExecutor) -> None:
        with self._lock:
            self._taken += 1
        payload: P | None = None
        try:
            payload = load(self._worker.takes, delivery)
            wait = self._worker.hold(payload)
        except Exception as error:  # noqa: BLE001 - the runner's: one message costs one message
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
        if not future.cancelled() and (error := future.exception()) is not None:
            self._failure = self._failure or error

    def _handle(self, delivery: Delivery, payload: P) -> None:
        started = self._clock()
        try:
            ending = self._worker.process(payload)
        except Exception as error:  # noqa: BLE001 - the runner's: one message costs one message
            self._settle(delivery, payload, error, self._clock() - started)
        else:
            self._settle(delivery, payload, ending, self._clock() - started)

    def _settle(
        self,
        delivery: Delivery,
        payload: P | None,
        ending: Result[P] | Exception,
        seconds: float,
    ) -> None:
        # What it is about, as it is known now: processing has told more of it.
        label, origin = ("", UNKNOWN) if payload is None else (payload.label, payload.origin)
        outcome = decide(self._policy, delivery, ending, label, seconds, origin)
        with self._lock:
            self._ended.append((delivery, outcome))
            if self._settling:
                return
            self._settling = True
        while ended := self._next_ended():
            self._settle_together(ended)

    def _next_ended(self) -> list[tuple[Delivery, Outcome]]:
        """What has ended since the last time. None: this thread's turn to settle is over."""
        with self._lock:
            ended, self._ended = self._ended, []
            self._settling = bool(ended)
            return ended

    def _settle_together(self, ended: Sequence[tuple[Delivery, Outcome]]) -> None:
        sends = [send for _, outcome in ended for send in outcome.sends]
        self._consumer.settle([delivery for delivery, _ in ended], sends)
        with self._lock:
            self._taken -= len(ended)
        for _, outcome in ended:
            tell(self._observers, outcome)


def load(takes: type[P], delivery: Delivery) -> P:
    """The payload of a delivery; what can't be read is for a person to look at."""
    try:
        return takes.load(delivery.body, first_key(delivery))
    except (DecodeError, RecursionError, MemoryError) as error:
        raise Quarantine(BAD_MESSAGE, str(error) or type(error).__name__) from error


def tell(observers: Sequence[Observer], outcome: Outcome) -> None:
    """Show an outcome, which has been settled, to all observers."""
    for observe in observers:
        observe(outcome)
