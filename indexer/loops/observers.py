"""What is told of each outcome: the log, and whoever started the program."""

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
    """One line an outcome, `status: url (reason)`: a story is traced by grepping its URL."""
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
"""How often a run is told what a program holds: also how soon the program notices that the run
is gone."""


RSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in the unit of `ru_maxrss` (getrusage(2))."""


class Held(Protocol):
    """What a loop says of the messages it holds."""

    @property
    def taken(self) -> int:
        """Received and not settled."""

    @property
    def waiting(self) -> int:
        """Those of them that wait for their batch to end."""


class RunReport:
    """Tells the program that started this one what happens, a line of JSON at a time.

    `{"step", "kind", "status"}` for each outcome; `{"taken", "waiting"}`, what the loop holds, a
    few times a second; `{"file"}` for each archive; `{"cpu", "peak"}` at the end. When nobody
    reads any more, `gone` is called: a worker must not outlive its run.
    """

    def __init__(self, descriptor: int, gone: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._gone = gone
        self._lock = threading.Lock()

    def outcome(self, outcome: Outcome) -> None:
        """An Observer."""
        self.write(step=outcome.step, kind=outcome.kind, status=outcome.status)

    @contextmanager
    def following(self, loop: Held, program: object) -> Iterator[None]:
        """While it runs, tell what the loop holds and which archives were finished."""
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
        while not ended:
            ended = done.wait(REPORT_SECONDS)
            now = (loop.taken, loop.waiting)
            if now != held or not ended:
                held = now
                self.write(taken=now[0], waiting=now[1])
            archives = list(getattr(program, "archives", ()))
            for url in archives[files:]:
                self.write(file=url)
            files = len(archives)

    def usage(self) -> None:
        """What the program has used, and its children: CPU seconds, peak memory in bytes."""
        own = resource.getrusage(resource.RUSAGE_SELF)
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.write(
            cpu=own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime,
            peak=max(own.ru_maxrss, children.ru_maxrss) * RSS_UNIT,
        )

    def write(self, **fields: str | float) -> None:
        """One line of any fields."""
        line = json.dumps(fields).encode() + b"\n"
        try:
            with self._lock:
                os.write(self._descriptor, line)
        except OSError:
            self._gone()
