"""The loop of programs that look at something once a minute.

    look → numbers → until the next multiple of the interval → …

What a look doesn't say any more, of a queue that is gone or a server that does not answer, is not
said on: dashboards show a gap, and not the last number for ever.
"""

import json
import logging
import math
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TextIO, TypeVar

from indexer.errors import ConfigurationError, StoryIndexerError
from indexer.metrics import attached, counter
from indexer.metrics.snapshot import Snapshot
from indexer.programs.program import run_loop
from indexer.programs.settings import ProgramOptions
from indexer.system.options import Options, option
from indexer.system.signals import stop_on_signals

SHORTEST, LONGEST = 0.01, 86_400.0
"""Seconds between two looks: from what a test needs, to a day."""

TICKS = counter("ticks", "looks of a program that looks once a minute, by how they ended", "status")


class PeriodicOptions(Options):
    """Options of every program that measures something once a minute."""

    interval: float = option(60.0, "seconds between two looks, at whole multiples of it")
    once: bool = option(False, "look once, and end: with status 1 if that failed")
    json_: bool = option(False, "look once, and print the numbers, a line of JSON each")


class _Options(ProgramOptions, PeriodicOptions):
    """Options of the loop."""


class Periodic:
    """A program that looks at something, and tells gauges and counters what it saw."""

    name: str

    def tick(self) -> None:
        """Look once. Should take seconds, not minutes: a stop waits for it.

        StoryIndexerError: this look failed. It is logged, counted, and the next one comes in time.
        ConfigurationError: none can succeed; it ends the program.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Let go of what it holds. Called once, after the last look."""


O = TypeVar("O", bound=Options)  # noqa: E741 - O for options


def run_periodic(
    make: Callable[[O], Periodic], options: type[O], arguments: Sequence[str] | None = None
) -> int:
    """Be a program that looks at something once a minute. Returns the exit status.

    It is 0 when it was told to stop, or when its only look succeeded; 1 when that one failed; 2 for
    options that can't work.
    """

    def serve(own: O, given: _Options, name: str) -> None:
        if not (SHORTEST <= given.interval <= LONGEST):
            raise ConfigurationError(f"--interval: {SHORTEST:g} to {LONGEST:g} seconds")
        stop = stop_on_signals()
        with closing(make(own)) as program:
            if given.once or given.json_:
                look(program, sys.stdout if given.json_ else None)
            else:
                Rounds(program, name, given.interval).run(stop)

    return run_loop(make, options, _Options, serve, arguments)


def look(program: Periodic, output: TextIO | None) -> None:
    """Look once, and print the numbers, if there is somewhere to. Raises what the look raises."""
    snapshot = Snapshot()
    with attached(snapshot):
        program.tick()
    if output is not None:
        # One line a number: for grep as for jq.
        for row in snapshot.rows():
            print(json.dumps(row), file=output)


class Rounds:
    """Looks again and again. `clock` gives seconds since the epoch."""

    def __init__(
        self,
        program: Periodic,
        name: str,
        interval: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._program = program
        self._log = logging.getLogger(name)
        self._interval = interval
        self._clock = clock
        self._seen = Snapshot()

    def run(self, stop: threading.Event) -> None:
        """Look now, and at each multiple of the interval, until `stop`."""
        while not stop.is_set():
            self.look()
            stop.wait(seconds_to_next(self._clock(), self._interval))

    def look(self) -> None:
        """One look; if it fails, that is logged and counted. Raises ConfigurationError."""
        now = Snapshot()
        try:
            with attached(now):
                self._program.tick()
        except ConfigurationError:
            raise
        except StoryIndexerError as error:
            self._log.error("%s: %s", type(error).__name__, error)
            TICKS.add(status="error")
        else:
            TICKS.add(status="ok")
        self._seen.forget_all_but(now)
        self._seen = now


EARLY = 0.01
"""Who wakes that little before a multiple, as a part of the interval, has woken for that one."""


def seconds_to_next(now: float, interval: float) -> float:
    """Seconds from `now` to the next multiple of the interval."""
    return math.floor(now / interval + 1 + EARLY) * interval - now
