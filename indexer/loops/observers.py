"""Observers of outcomes: the log, and the report to the run that started the program."""

import json
import logging
import os
import resource
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from indexer.errors import UnreadInputs
from indexer.messages.outcome import Observer, Outcome, OutcomeKind
from indexer.messages.worker import InputReader, Maker

_LEVELS = {OutcomeKind.QUARANTINE: logging.WARNING}


def log_outcomes(step: str) -> Observer:
    """Log a line for each outcome, `status: label (reason)`: a label's lines are the history of a
    message."""
    logger = logging.getLogger(step)

    def observe(outcome: Outcome) -> None:
        why = f" ({outcome.why})" if outcome.why and outcome.why != outcome.status else ""
        kind = (
            "" if outcome.kind in (OutcomeKind.DONE, OutcomeKind.QUEUED) else f" [{outcome.kind}]"
        )
        level = _LEVELS.get(outcome.kind, logging.INFO)
        logger.log(level, "%s: %s%s%s", outcome.status, outcome.label, kind, why)

    return observe


REPORT_SECONDS = 0.2
"""The time between two reports: a program notices within it that its run is gone."""


EXPLAINED = (OutcomeKind.SKIPPED, OutcomeKind.DISCARD)
"""The outcomes whose reasons are reported."""

RSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in the unit of `ru_maxrss`: kilobytes, but bytes on macOS (getrusage(2))."""


class InHand(Protocol):
    """The messages that a loop has in hand."""

    @property
    def taken(self) -> int:
        """Messages received and not settled."""

    @property
    def waiting(self) -> int:
        """Those of them that wait for the end of their batch."""


class RunReport:
    """Reports to the run that started this program, on a pipe, in lines of JSON.

    `{"step", "kind", "status"}` for each outcome; `{"status", "why"}` for the first message of each
    status that was dropped; `{"taken", "waiting"}`, the messages that the loop holds, a few times a
    second; `{"made"}` for each file that a Maker makes; at the end `{"inputs", "number"}`, inputs
    of an InputReader by the result of reading, `{"unread"}` for each input that could not be read,
    and `{"cpu", "peak"}`. `telling` adds `{"said"}` for a line of the log, and `{"failed"}` for the
    error that ends the program. If the run has closed the pipe, `gone` is called: a worker must not
    outlive its run.
    """

    def __init__(self, descriptor: int, gone: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._gone = gone
        self._lock = threading.Lock()
        self._explained: set[str] = set()

    def outcome(self, outcome: Outcome) -> None:
        """Report an outcome: an Observer."""
        self.write(step=outcome.step, kind=outcome.kind, status=outcome.status)
        # The first one: there may be a million like it.
        if outcome.why and outcome.kind in EXPLAINED and outcome.status not in self._explained:
            self._explained.add(outcome.status)
            self.write(status=outcome.status, why=f"{outcome.label}: {outcome.why}")

    @contextmanager
    def following(self, loop: InHand, program: object) -> Iterator[None]:
        """Report, meanwhile, the messages that the loop holds and the files that it makes."""
        done = threading.Event()
        thread = threading.Thread(target=self._follow, args=(loop, program, done), daemon=True)
        thread.start()
        try:
            yield
        except UnreadInputs as error:
            for why in error.reasons:
                self.write(unread=why)
            raise
        finally:
            done.set()
            thread.join()

    def _follow(self, loop: InHand, program: object, done: threading.Event) -> None:
        held, told = None, 0
        ended = False
        # One more round after the end: the last flush may have finished a file.
        while not ended:
            ended = done.wait(REPORT_SECONDS)
            now = (loop.taken, loop.waiting)
            # Unchanged numbers are reported too: only a write reveals that the run is gone.
            if now != held or not ended:
                held = now
                self.write(taken=now[0], waiting=now[1])
            made = list(program.made) if isinstance(program, Maker) else []
            for url in made[told:]:
                self.write(made=url)
            told = len(made)
        if isinstance(program, InputReader):
            for status, number in program.inputs.items():
                self.write(inputs=status, number=number)

    def usage(self) -> None:
        """Report the CPU seconds and the peak memory in bytes of this program and its children."""
        own = resource.getrusage(resource.RUSAGE_SELF)
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.write(
            cpu=own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime,
            peak=max(own.ru_maxrss, children.ru_maxrss) * RSS_UNIT,
        )

    def write(self, **fields: str | float) -> None:
        """Write a line of these fields."""
        line = json.dumps(fields).encode() + b"\n"
        try:
            with self._lock:
                os.write(self._descriptor, line)
        except OSError:
            self._gone()
