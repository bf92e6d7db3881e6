"""The failures that the programs of a run report, for the person at its terminal."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

AGAIN_SECONDS = 3600.0
"""A program that keeps failing for the same reason is told of once in so long."""

MOST = 20
"""Problems of a step that are told in this time. All of them are in its log."""


class ProgramProblem(NamedTuple):
    """A failure, or a warning, of a step's program."""

    step: str
    text: str


class Problems:
    """The problems of a run. Thread-safe. `clock` returns seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._told: dict[ProgramProblem, float] = {}
        self._new: list[ProgramProblem] = []
        self._ends: Counter[str] = Counter()
        self._last: dict[str, str] = {}
        self._lock = threading.Lock()

    def add(self, step: str, text: str) -> None:
        """Add a problem; the same one is told again after an hour."""
        problem = ProgramProblem(step, text)
        with self._lock:
            since = self._clock() - AGAIN_SECONDS
            self._told = {each: when for each, when in self._told.items() if when > since}
            of_step = sum(each.step == step for each in self._told)
            if problem in self._told or of_step > MOST:
                return
            if of_step == MOST:
                problem = ProgramProblem(step, "more problems: its log has them")
            self._told[problem] = self._clock()
            self._new.append(problem)

    def new(self) -> list[ProgramProblem]:
        """The problems to tell, each of them once."""
        with self._lock:
            found, self._new = self._new, []
            return found

    def add_end(self, step: str, why: str) -> None:
        """Count the end of a program that has failed."""
        with self._lock:
            self._ends[step] += 1
            self._last[step] = why

    @property
    def ends(self) -> dict[str, str]:
        """The steps whose programs have failed: how often, and the reason of the last time."""
        with self._lock:
            return {
                step: why if self._ends[step] == 1 else f"{self._ends[step]} times, the last: {why}"
                for step, why in self._last.items()
            }
