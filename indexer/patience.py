"""Waiting for a server that is busy or away."""

import random
import time
from collections.abc import Callable, Iterator

ATTEMPTS = 9
"""How often something is asked for: with these pauses for about a minute."""

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 30.0
"""Seconds."""


class Patience:
    """Pauses that double each time, and are spread, so that not all who wait come back at once."""

    def __init__(
        self,
        sleep: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random.random,
        attempts: int = ATTEMPTS,
    ) -> None:
        self._sleep = sleep
        self._chance = chance
        self._attempts = attempts

    def attempts(self) -> Iterator[bool]:
        """Go through these as long as it takes; each says whether it is the last one."""
        for attempt in range(self._attempts):
            if attempt:
                pause: float = FIRST_PAUSE * 2 ** (attempt - 1)
                self._sleep(min(pause, LONGEST_PAUSE) * (0.5 + self._chance() / 2))
            yield attempt == self._attempts - 1
