"""Metrics for dashboards and alerts: declared once per process, updated where events happen.

    FILES = counter("files", "inputs, by how reading them ended", "status")
    FILES.add(status="success")

A program attaches the configured sinks (Prometheus, statsd). Without a sink, values are dropped.
Names and labels are those of stories.md 2.5 and 2.6, which existing dashboards read.
"""

import math
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol, Self


@dataclass(frozen=True, slots=True)
class Metric:
    """A declared metric. `labels` are the names of its labels, in alphabetical order.

    Other labels raise ValueError, even without a sink. Values that are not finite are dropped.
    """

    name: str
    about: str
    labels: tuple[str, ...]

    @classmethod
    def declare(cls, name: str, about: str, *labels: str, **form: bool) -> Self:
        """Declare a metric. Raises ValueError if another metric has the name."""
        metric = cls(name, about, tuple(sorted(labels)), **form)
        # The same declaration may come twice: `python -m` imports a module again as `__main__`.
        known = _declared.setdefault(name, metric)
        if not isinstance(known, cls) or known != metric:
            raise ValueError(f"the metric {name} is declared twice, differently")
        return known

    @property
    def kind(self) -> str:
        """The kind in words: counter, gauge, timer, reading."""
        return type(self).__name__.lower()

    def named(self, values: Sequence[str]) -> dict[str, str]:
        """Return labels by name; `values` are in the order of `labels`."""
        return dict(zip(self.labels, values, strict=True))

    def _send(self, value: float, labels: dict[str, str]) -> None:
        values = self._values(labels)
        if math.isfinite(value):
            for sink in _sinks:
                sink.take(self, value, values)

    def _values(self, labels: dict[str, str]) -> tuple[str, ...]:
        """Return the labels' values in the declared order. Raises ValueError for other labels."""
        if tuple(labels) == self.labels:
            return tuple(labels.values())
        try:
            values = tuple([labels[name] for name in self.labels])
        except KeyError:
            values = ()
        if len(values) != len(labels) or len(values) != len(self.labels):
            raise ValueError(f"{self.name} has the labels {self.labels}, not {tuple(labels)}")
        return values


class Counter(Metric):
    """A number of events; it never decreases."""

    def add(self, amount: float = 1, /, **labels: str) -> None:
        """Count events. Raises ValueError if the amount is below 0."""
        if amount < 0:
            raise ValueError(f"{self.name} is a counter: {amount} can't be added")
        self._send(amount, labels)


class Gauge(Metric):
    """A present value."""

    def set(self, value: float, /, **labels: str) -> None:
        """Set the present value."""
        self._send(value, labels)

    def forget(self, **labels: str) -> None:
        """Remove the value of something that no longer exists."""
        values = self._values(labels)
        for sink in _sinks:
            sink.forget(self, values)


class Reading(Metric):
    """A number for each event of which the distribution matters: an epoch, a day."""

    def observe(self, value: float, /, **labels: str) -> None:
        """Record the number of one event."""
        self._send(value, labels)


@dataclass(frozen=True, slots=True)
class Timer(Reading):
    """A duration in seconds for each event; `long` ones last minutes to days."""

    long: bool = False

    @contextmanager
    def timing(self, **labels: str) -> Iterator[None]:
        """Record the duration of a block, also of one that raises."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.observe(time.perf_counter() - started, **labels)


class Sink(Protocol):
    """Receives values. Called by any thread; must neither block nor raise."""

    def take(self, metric: Metric, value: float, labels: tuple[str, ...]) -> None:
        """Receive one value; `labels` are the values of the metric's labels, in their order."""

    def forget(self, metric: Metric, labels: tuple[str, ...]) -> None:
        """Remove the value of a gauge."""


_declared: dict[str, Metric] = {}
_sinks: tuple[Sink, ...] = ()
_lock = threading.Lock()


counter, gauge, timer, reading = Counter.declare, Gauge.declare, Timer.declare, Reading.declare


def declared() -> Sequence[Metric]:
    """Return all metrics of the imported modules, sorted by name."""
    return [_declared[name] for name in sorted(_declared)]


@contextmanager
def attached(sink: Sink) -> Iterator[None]:
    """Send all values to this sink too, for the time of the context."""
    global _sinks  # noqa: PLW0603 - one set a process, like the handlers of `logging`
    # A new tuple each time: threads that are sending iterate over the old one without a lock.
    with _lock:
        _sinks = (*_sinks, sink)
    try:
        yield
    finally:
        with _lock:
            _sinks = tuple(each for each in _sinks if each is not sink)


def are_read() -> bool:
    """Whether any sink gets the values. Costly ones need not be measured for none."""
    return bool(_sinks)


def day_number(day: date | None) -> int:
    """Return a date, or the date of a date-time, as the number YYYYMMDD; 0 for None."""
    if isinstance(day, datetime):
        day = day.date()
    return day.year * 10000 + day.month * 100 + day.day if day else 0
