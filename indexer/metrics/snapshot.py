"""A sink that remembers: what was said last of each thing, and what counters add up to."""

import threading
from typing import TypedDict

from indexer.metrics import Gauge, Metric, MetricKind


class MetricRow(TypedDict):
    """One number, as it is printed."""

    name: str
    labels: dict[str, str]
    value: float


class Snapshot:
    """The last number of each metric and labels, or their sum. Thread-safe."""

    def __init__(self) -> None:
        self._last: dict[tuple[Metric, tuple[str, ...]], float] = {}
        self._lock = threading.Lock()

    def take(self, metric: Metric, value: float, labels: tuple[str, ...]) -> None:
        """See `Sink`."""
        with self._lock:
            before = self._last.get((metric, labels), 0) if metric.kind is MetricKind.COUNTER else 0
            self._last[(metric, labels)] = before + value

    def forget(self, metric: Metric, labels: tuple[str, ...]) -> None:
        """See `Sink`."""
        with self._lock:
            self._last.pop((metric, labels), None)

    def rows(self) -> list[MetricRow]:
        """All of them, by name and labels."""
        with self._lock:
            known = self._last.copy()
        return [
            MetricRow(
                name=metric.name,
                labels=dict(zip(metric.labels, labels, strict=True)),
                value=value,
            )
            for (metric, labels), value in sorted(
                known.items(), key=lambda each: (each[0][0].name, each[0][1])
            )
        ]

    def forget_all_but(self, others: "Snapshot") -> None:
        """Tell all sinks to forget the gauges of this one that are not among the others."""
        for metric, labels in self._last.keys() - others._last.keys():
            if isinstance(metric, Gauge):
                metric.forget(**dict(zip(metric.labels, labels, strict=True)))
