"""Waiting for an Elasticsearch that is too busy to answer, or whose shards are not up yet."""

import random
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from elasticsearch import ApiError

BUSY = (429, 502, 503, 504)
"""The server could not do it now."""

ATTEMPTS = 9
"""How often something is asked for: with these pauses for about a minute."""

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 30.0
"""Seconds."""

T = TypeVar("T")


class Patience:
    """Pauses that double each time, and are spread, so that not all who wait come back at once."""

    def __init__(
        self,
        sleep: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._sleep = sleep
        self._chance = chance

    def attempts(self) -> Iterator[bool]:
        """Go through these as long as it takes; each says whether it is the last one."""
        for attempt in range(ATTEMPTS):
            if attempt:
                pause: float = FIRST_PAUSE * 2 ** (attempt - 1)
                self._sleep(min(pause, LONGEST_PAUSE) * (0.5 + self._chance() / 2))
            yield attempt == ATTEMPTS - 1

    def ask(self, question: Callable[[], T]) -> T:
        """The answer, when the server has one. Raises ApiError if it stays busy, TransportError."""
        for is_last in self.attempts():
            try:
                return question()
            except ApiError as error:
                if error.status_code not in BUSY or is_last:
                    raise
        raise AssertionError("there is at least one attempt")
