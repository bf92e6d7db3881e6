"""Waiting for a server that is busy or away."""

import random
from collections.abc import Callable, Iterator

from indexer.system.signals import pause

ATTEMPTS = 9
"""How often something is asked for: with these pauses for about a minute."""

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 30.0
"""Seconds."""


class Patience:
    """Pauses that double each time, and are spread, so that not all who wait come back at once.

    A pause that says True was cut short: the program is to stop, and the next attempt is the last.
    """

    def __init__(
        self,
        sleep: Callable[[float], object] = pause,
        chance: Callable[[], float] = random.random,
        attempts: int = ATTEMPTS,
    ) -> None:
        self._sleep = sleep
        self._chance = chance
        self._attempts = attempts

    def attempts(self) -> Iterator[bool]:
        """Go through these as long as it takes; each says whether it is the last one."""
        for attempt in range(self._attempts):
            stopped = attempt > 0 and self._pause(attempt)
            yield stopped or attempt == self._attempts - 1
            if stopped:
                return

    def _pause(self, attempt: int) -> bool:
        seconds: float = min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE)
        return self._sleep(seconds * (0.5 + self._chance() / 2)) is True
