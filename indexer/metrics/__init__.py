"""Numbers for dashboards and alerts: declared once, counted where things happen.

    FILES = counter("files", "inputs, by how reading them ended", "status")
    FILES.add(status="success")

A program attaches the sinks that it was told of: Prometheus and statsd, one each. Without any,
counting does nothing. Names and labels are those of stories.md 2.5 and 2.6: dashboards read them.
"""

import math
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Protocol, TypeVar


class MetricKind(StrEnum):
    """What a metric's numbers are.

    A TIMER takes seconds. A READING takes any number of which the spread matters: an epoch, a day.
    """

    COUNTER = "counter"
    GAUGE = "gauge"
    TIMER = "timer"
    READING = "reading"


@dataclass(frozen=True, slots=True)
class Metric:
    """A declared metric. `labels` are the names of its labels, in alphabetical order.

    Other labels than those are a ValueError, whether or not anything is attached. What is not a
    finite number is not sent.
    """

    name: str
    about: str
    labels: tuple[str, ...]
    kind: MetricKind

    def _send(self, value: float, labels: dict[str, str]) -> None:
        values = self._values(labels)
        if math.isfinite(value):
            for sink in _sinks:
                sink.take(self, value, values)

    def _values(self, labels: dict[str, str]) -> tuple[str, ...]:
        """The values of the labels, in their order. Raises ValueError if they are others."""
        try:
            values = tuple([labels[name] for name in self.labels])
        except KeyError:
            values = ()
        if len(values) != len(labels) or len(values) != len(self.labels):
            raise ValueError(f"{self.name} has the labels {self.labels}, not {tuple(labels)}")
        return values


class Counter(Metric):
    """Goes up."""

    def add(self, amount: float = 1, /, **labels: str) -> None:
        """Count something that happened. Raises ValueError if the amount is below 0."""
        if amount < 0:
            raise ValueError(f"{self.name} only goes up, not by {amount}")
        self._send(amount, labels)


class Gauge(Metric):
    """Goes up and down."""

    def set(self, value: float, /, **labels: str) -> None:
        """Say what it is now."""
        self._send(value, labels)

    def forget(self, **labels: str) -> None:
        """It is no more: what it was last is not said on."""
        values = self._values(labels)
        for sink in _sinks:
            sink.forget(self, values)


class Timer(Metric):
    """How long things take."""

    def observe(self, seconds: float, /, **labels: str) -> None:
        """Say how long one took."""
        self._send(seconds, labels)

    @contextmanager
    def timing(self, **labels: str) -> Iterator[None]:
        """Say how long what is inside of it took, however it ends."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.observe(time.perf_counter() - started, **labels)


class Reading(Metric):
    """A number of each thing that happened."""

    def observe(self, value: float, /, **labels: str) -> None:
        """Say what it was of one."""
        self._send(value, labels)


class Sink(Protocol):
    """Where numbers go. Called by any thread; must neither block nor raise."""

    def take(self, metric: Metric, value: float, labels: tuple[str, ...]) -> None:
        """One number; `labels` are the values of the metric's labels, in their order."""

    def forget(self, metric: Metric, labels: tuple[str, ...]) -> None:
        """A gauge has no value any more."""


M = TypeVar("M", Counter, Gauge, Timer, Reading)

_declared: dict[str, Metric] = {}
_sinks: tuple[Sink, ...] = ()
_lock = threading.Lock()


def counter(name: str, about: str, *labels: str) -> Counter:
    """Declare a counter. Raises ValueError if the name is taken by another metric."""
    return _declare(Counter(name, about, tuple(sorted(labels)), MetricKind.COUNTER))


def gauge(name: str, about: str, *labels: str) -> Gauge:
    """Declare a gauge. Raises ValueError if the name is taken by another metric."""
    return _declare(Gauge(name, about, tuple(sorted(labels)), MetricKind.GAUGE))


def timer(name: str, about: str, *labels: str) -> Timer:
    """Declare a timer. Raises ValueError if the name is taken by another metric."""
    return _declare(Timer(name, about, tuple(sorted(labels)), MetricKind.TIMER))


def reading(name: str, about: str, *labels: str) -> Reading:
    """Declare a reading. Raises ValueError if the name is taken by another metric."""
    return _declare(Reading(name, about, tuple(sorted(labels)), MetricKind.READING))


def declared() -> Sequence[Metric]:
    """All metrics of the modules that were imported, by name."""
    return [_declared[name] for name in sorted(_declared)]


@contextmanager
def attached(sink: Sink) -> Iterator[None]:
    """While it runs, what is counted goes to this sink too."""
    global _sinks  # noqa: PLW0603 - like the handlers of `logging`: one set a process
    with _lock:
        _sinks = (*_sinks, sink)
    try:
        yield
    finally:
        with _lock:
            _sinks = tuple(each for each in _sinks if each is not sink)


def day_number(day: date | None) -> int:
    """A day, or that of a date-time, as the number YYYYMMDD; 0 if there is none."""
    if isinstance(day, datetime):
        day = day.date()
    return day.year * 10000 + day.month * 100 + day.day if day else 0


def _declare(metric: M) -> M:
    known = _declared.setdefault(metric.name, metric)
    if known != metric:
        raise ValueError(f"the metric {metric.name} is declared twice, differently")
    return known
