"""One input queue, as the loops of workers use it: messages arrive, and each is settled once.

receive → Delivery → (the loop calls its worker) → Outcome → settle → observers
"""

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from indexer.broker import Consumer
from indexer.errors import DecodeError, Quarantine
from indexer.messages.exchanges import Unheard
from indexer.messages.message import BAD_MESSAGE, Delivery, Send, first_key
from indexer.messages.outcome import Observer, Outcome, RetryPolicy
from indexer.messages.worker import In

POLL_SECONDS = 0.25
"""The longest wait for a message, and so the time after which a stop is noticed."""

Ended = tuple[Delivery, Outcome]
"""A delivery whose handling has ended, and how."""


@dataclass
class Inbox:
    """The messages of one consumer, the policy for their outcomes, and the observers to notify.

    `publish` is a broker's, for requests; without one, all of them come back. `clock` gives seconds
    for all due times of the loop. With `until_empty` the arrivals end when no message is left.
    """

    consumer: Consumer
    policy: RetryPolicy
    observers: Sequence[Observer] = ()
    publish: Callable[[Sequence[Send]], list[Send]] = list
    clock: Callable[[], float] = time.monotonic
    until_empty: bool = False
    taken: int = field(default=0, init=False)
    """How many messages were received and not settled."""

    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def arrivals(
        self, stop: threading.Event, due: Callable[[], float] = lambda: math.inf
    ) -> Iterator[Delivery | None]:
        """The messages as they arrive, until `stop`; None when it is time to look at other work.

        `due` returns the time of the loop's next work. None comes then, or after POLL_SECONDS.
        """
        while not stop.is_set():
            # A thread that settles its last message may put a retry into the queue: only a queue
            # that is found empty when nothing was unsettled before stays empty.
            was_idle = self.taken == 0
            wait = min(POLL_SECONDS, max(0.0, due() - self.clock()))
            delivery = self.consumer.receive(wait)
            if delivery is not None:
                self._count(1)
            elif self.until_empty and was_idle and self.consumer.is_empty():
                return
            yield delivery

    def settle(self, ended: Sequence[Ended]) -> None:
        """Publish all outputs, acknowledge all deliveries, then notify the observers.

        Outputs that may come back must have been published.
        """
        sends = [
            send
            for _, outcome in ended
            for send in outcome.sends
            if send.unheard is not Unheard.RETURNED
        ]
        self.consumer.settle([delivery for delivery, _ in ended], sends)
        self._count(-len(ended))
        for _, outcome in ended:
            notify(self.observers, outcome)

    def acknowledge(self, delivery: Delivery) -> None:
        """Acknowledge a message that is stored as a job: its outcome follows when the job ends."""
        self.consumer.settle([delivery])
        self._count(-1)

    def _count(self, more: int) -> None:
        with self._lock:
            self.taken += more


def load(takes: type[In], delivery: Delivery) -> In:
    """The payload of a delivery. Raises Quarantine if its bytes can't be read."""
    try:
        return takes.load(delivery.body, first_key(delivery))
    except (DecodeError, RecursionError, MemoryError) as error:
        raise Quarantine(BAD_MESSAGE, str(error) or type(error).__name__) from error


def notify(observers: Sequence[Observer], outcome: Outcome) -> None:
    """Pass an outcome, which has been settled, to all observers."""
    for observe in observers:
        observe(outcome)
