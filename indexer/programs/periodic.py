"""The loop of programs that measure something once a minute.

    measure → numbers → wait until the next multiple of the interval → …

A number that the last measurement lacks, of a queue that is gone or a server that doesn't answer,
is withdrawn: dashboards then show a gap in place of the last value.
"""

import json
import logging
import math
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TextIO, TypeVar

from indexer.errors import ConfigurationError, StoryIndexerError
from indexer.metrics import attached, counter
from indexer.metrics.snapshot import Snapshot
from indexer.programs.program import run_loop
from indexer.programs.settings import ProgramOptions
from indexer.system.options import Options, option
from indexer.system.signals import stop_on_signals

SHORTEST, LONGEST = 0.01, 86_400.0
"""The limits of the interval in seconds: the first is for tests, the second is a day."""

TICKS = counter("ticks", "measurements of a periodic program, by result", "status")


class PeriodicOptions(Options):
    """Options of every program that measures something once a minute."""

    interval: float = option(60.0, "seconds between two measurements, at whole multiples of it")
    once: bool = option(False, "measure once, and end: with status 1 if that failed")
    json_: bool = option(False, "measure once, and print the numbers, a line of JSON each")


class _Options(ProgramOptions, PeriodicOptions):
    """Options of the loop."""


class Periodic:
    """A program that measures something, and sets gauges and counters."""

    name: str

    def tick(self) -> None:
        """Measure once. Should take seconds, not minutes: a stop waits for its end.

        Raises StoryIndexerError if this measurement failed: it is logged and counted, and the next
        one follows in time; ConfigurationError if none can succeed: the program ends.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Release the program's resources. Called once, after the last measurement."""


O = TypeVar("O", bound=Options)  # noqa: E741 - O for options


def run_periodic(
    make: Callable[[O], Periodic], options: type[O], arguments: Sequence[str] | None = None
) -> int:
    """Run a program that measures something once a minute. Returns the exit status.

    The status is 0 if the program was stopped, or its only measurement succeeded; 1 if that failed;
    2 for bad options.
    """

    def serve(own: O, given: _Options, name: str) -> None:
        if not (SHORTEST <= given.interval <= LONGEST):
            raise ConfigurationError(f"--interval: {SHORTEST:g} to {LONGEST:g} seconds")
        stop = stop_on_signals()
        with closing(make(own)) as program:
            if given.once or given.json_:
                measure_once(program, sys.stdout if given.json_ else None)
            else:
                PeriodicLoop(program, name, given.interval).run(stop)

    return run_loop(make, options, _Options, serve, arguments)


def measure_once(program: Periodic, output: TextIO | None) -> None:
    """Measure once, and print the numbers to `output`, if given. Raises as `tick` does."""
    snapshot = Snapshot()
    with attached(snapshot):
        program.tick()
    if output is not None:
        # A line for each number, so that both grep and jq can read it.
        for row in snapshot.rows():
            print(json.dumps(row), file=output)


@dataclass
class PeriodicLoop:
    """Measures again and again. `clock` gives seconds since the epoch."""

    program: Periodic
    name: str
    interval: float
    clock: Callable[[], float] = time.time
    _last: Snapshot = field(default_factory=Snapshot, init=False)

    def run(self, stop: threading.Event) -> None:
        """Measure now, and at each multiple of the interval, until `stop`."""
        while not stop.is_set():
            self._measure()
            stop.wait(seconds_to_next(self.clock(), self.interval))

    def _measure(self) -> None:
        """Measure once; log and count a failure. Raises ConfigurationError."""
        now = Snapshot()
        try:
            with attached(now):
                self.program.tick()
        except ConfigurationError:
            raise
        except StoryIndexerError as error:
            logging.getLogger(self.name).error("%s: %s", type(error).__name__, error)
            TICKS.add(status="error")
        else:
            TICKS.add(status="ok")
        # Also after a failure: the last values may be wrong by then.
        self._last.forget_all_but(now)
        self._last = now


EARLY = 0.01
"""The part of an interval by which a wait may end early and still count for its multiple."""


def seconds_to_next(now: float, interval: float) -> float:
    """The seconds from `now` to the next multiple of the interval."""
    return math.floor(now / interval + 1 + EARLY) * interval - now
