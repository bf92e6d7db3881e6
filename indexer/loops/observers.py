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

from indexer.messages.outcome import Observer, Outcome, OutcomeKind

_LEVELS = {OutcomeKind.QUARANTINE: logging.WARNING}


def log_outcomes(step: str) -> Observer:
    """Log a line for each outcome, `status: url (reason)`: a URL's lines are a story's history."""
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


RSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in the unit of `ru_maxrss`: kilobytes, but bytes on macOS (getrusage(2))."""


class Held(Protocol):
    """The number of messages that a loop holds."""

    @property
    def taken(self) -> int:
        """Messages received and not settled."""

    @property
    def waiting(self) -> int:
        """Those of them that wait for the end of their batch."""


class RunReport:
    """Reports to the run that started this program, on a pipe, in lines of JSON.

    `{"step", "kind", "status"}` for each outcome; `{"taken", "waiting"}`, the messages that the
    loop holds, a few times a second; `{"file"}` for each archive; `{"cpu", "peak"}` at the end. If
    the run has closed the pipe, `gone` is called: a worker must not outlive its run.
    """

    def __init__(self, descriptor: int, gone: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._gone = gone
        self._lock = threading.Lock()

    def outcome(self, outcome: Outcome) -> None:
        """Report an outcome: an Observer."""
        self.write(step=outcome.step, kind=outcome.kind, status=outcome.status)

    @contextmanager
    def following(self, loop: Held, program: object) -> Iterator[None]:
        """Report, meanwhile, the messages that the loop holds and the archives that it finishes."""
        done = threading.Event()
        thread = threading.Thread(target=self._follow, args=(loop, program, done), daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def _follow(self, loop: Held, program: object, done: threading.Event) -> None:
        held, files = None, 0
        ended = False
        # One more round after the end: the last flush may have finished an archive.
        while not ended:
            ended = done.wait(REPORT_SECONDS)
            now = (loop.taken, loop.waiting)
            # Unchanged numbers are reported too: only a write reveals that the run is gone.
            if now != held or not ended:
                held = now
                self.write(taken=now[0], waiting=now[1])
            archives = list(getattr(program, "archives", ()))
            for url in archives[files:]:
                self.write(file=url)
            files = len(archives)

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
