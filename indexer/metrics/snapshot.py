"""A sink in memory: the last value of each metric, and the sums of counters."""

import threading
from typing import TypedDict

from indexer.metrics import Counter, Gauge, Metric


class MetricRow(TypedDict):
    """One value, as it is printed."""

    name: str
    labels: dict[str, str]
    value: float


class Snapshot:
    """The last value, or a counter's sum, of each metric and set of labels. Thread-safe."""

    def __init__(self) -> None:
        self._last: dict[tuple[Metric, tuple[str, ...]], float] = {}
        self._lock = threading.Lock()

    def take(self, metric: Metric, value: float, labels: tuple[str, ...]) -> None:
        """See `Sink`."""
        with self._lock:
            before = self._last.get((metric, labels), 0) if isinstance(metric, Counter) else 0
            self._last[metric, labels] = before + value

    def forget(self, metric: Metric, labels: tuple[str, ...]) -> None:
        """See `Sink`."""
        with self._lock:
            self._last.pop((metric, labels), None)

    def rows(self) -> list[MetricRow]:
        """Return all values, sorted by name and labels."""
        with self._lock:
            known = sorted(self._last.items(), key=lambda each: (each[0][0].name, each[0][1]))
        return [
            MetricRow(name=metric.name, labels=metric.named(labels), value=value)
            for (metric, labels), value in known
        ]

    def forget_all_but(self, others: "Snapshot") -> None:
        """Remove from all sinks the gauges of this snapshot that `others` does not have."""
        for metric, labels in self._last.keys() - others._last.keys():
            if isinstance(metric, Gauge):
                metric.forget(**metric.named(labels))
