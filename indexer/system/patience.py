"""Trying again what a server that is busy or away has refused, with growing pauses."""

import random
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from indexer.system.signals import pause

ATTEMPTS = 9
"""With these pauses: about a minute."""

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 30.0
"""Seconds."""

T = TypeVar("T")


def growing(first: float, longest: float) -> Iterator[float]:
    """Seconds of pauses without end, each twice the one before, up to the longest."""
    while True:
        yield first
        first = min(2 * first, longest)


class Patience:
    """How often an action is tried, and how long the pauses between are: they double each time.

    Pauses are spread at random, so that programs that failed together don't return together. If
    `sleep` returns True the pause was cut short, as the program is to stop: the next attempt is
    the last.
    """

    def __init__(
        self,
        sleep: Callable[[float], object] = pause,
        chance: Callable[[], float] = random.random,
        attempts: int = ATTEMPTS,
        first: float = FIRST_PAUSE,
        longest: float = LONGEST_PAUSE,
    ) -> None:
        self._sleep = sleep
        self._chance = chance
        self._attempts = attempts
        self._first = first
        self._longest = longest

    def retry(
        self,
        action: Callable[[], T],
        error: type[Exception],
        is_temporary: Callable[[Any], bool] = lambda _: True,
        warn: Callable[[Any], object] = lambda _: None,
    ) -> T:
        """The result of an action, which is tried again after temporary errors of one class.

        `warn` is called before each new attempt. Raises the error of the last attempt.
        """
        for is_last in self.attempts():
            try:
                return action()
            except error as failure:
                if is_last or not is_temporary(failure):
                    raise
                warn(failure)
        raise AssertionError("there is at least one attempt")

    def attempts(self) -> Iterator[bool]:
        """Each attempt, when its pause is over: whether it is the last one."""
        pauses = growing(self._first, self._longest)
        for attempt in range(self._attempts):
            stopped = attempt > 0 and self._pause(next(pauses))
            yield stopped or attempt == self._attempts - 1
            if stopped:
                return

    def _pause(self, seconds: float) -> bool:
        return self._sleep(seconds * (0.5 + self._chance() / 2)) is True
