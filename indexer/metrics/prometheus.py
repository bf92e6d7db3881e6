"""The Prometheus sink: `story_indexer_NAME{program="…"}` at `/metrics`.

Names of counters end in `_total`; timers are histograms whose names end in `_seconds`; readings are
summaries (a count and a sum).
"""

import logging
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias

import prometheus_client as client
from prometheus_client.exposition import choose_encoder

from indexer.metrics import Counter, Gauge, Metric, Reading, Timer
from indexer.metrics.endpoint import Endpoint
from indexer.system.listening import ListenAddress

log = logging.getLogger(__name__)

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900)
"""The upper bounds of timers' buckets: from a database look-up to the upload of an archive."""

LONG_SECONDS = (1, 10, 60, 300, 900, 3600, 14_400, 43_200, 86_400, 259_200, 604_800)
"""Those of timers of minutes to days: a second to a week."""

Series: TypeAlias = client.Counter | client.Gauge | client.Histogram | client.Summary

_CLASSES: dict[type[Metric], type[Series]] = {
    Counter: client.Counter,
    Gauge: client.Gauge,
    Timer: client.Histogram,
    Reading: client.Summary,
}

_ENDS: dict[type[Metric], str] = {Counter: "_total", Timer: "_seconds"}


def prometheus_name(metric: Metric) -> str:
    """Return Prometheus' name of a metric; a timer's series add `_bucket`, `_sum`, `_count`."""
    return (
        f"story_indexer_{re.sub(r'[^a-zA-Z0-9_]', '_', metric.name)}{_ENDS.get(type(metric), '')}"
    )


class Prometheus:
    """A sink that keeps the values until Prometheus fetches them. Thread-safe."""

    def __init__(self, program: str) -> None:
        """`program` is a label of all values."""
        # Otherwise each counter would have a second series with the time of its creation.
        client.disable_created_metrics()  # type: ignore[no-untyped-call]  # it is untyped there
        self.registry = client.CollectorRegistry()
        client.ProcessCollector(registry=self.registry)
        self._program = _legal(program)
        self._series: dict[Metric, Series] = {}
        self._lock = threading.Lock()

    @classmethod
    @contextmanager
    def serving(cls, address: str, program: str) -> Iterator["Prometheus"]:
        """Serve the values at `HOST:PORT` for the time of the context.

        Raises ConfigurationError if the address can't be used.
        """
        sink = cls(program)
        with Endpoint(sink.page, ListenAddress.parse(address)) as endpoint:
            log.info("metrics at http://%s/metrics", endpoint.place)
            yield sink

    def take(self, metric: Metric, value: float, labels: tuple[str, ...]) -> None:
        """See `Sink`."""
        series = self._of(metric).labels(self._program, *map(_legal, labels))
        match series:
            case client.Counter():
                series.inc(value)
            case client.Gauge():
                series.set(value)
            case client.Histogram() | client.Summary():
                series.observe(value)

    def page(self, accept: str) -> tuple[str, bytes]:
        """Return the content type and the values, in a format that the header Accept allows."""
        encode, kind = choose_encoder(accept)
        return kind, encode(self.registry)

    def forget(self, metric: Metric, labels: tuple[str, ...]) -> None:
        """See `Sink`."""
        with suppress(KeyError):
            self._of(metric).remove(self._program, *map(_legal, labels))

    def _of(self, metric: Metric) -> Series:
        with self._lock:
            series = self._series.get(metric)
            if series is None:
                series = self._series[metric] = self._made(metric)
        return series

    def _made(self, metric: Metric) -> Series:
        name, labels = prometheus_name(metric), ("program", *metric.labels)
        buckets: dict[str, Any] = {}
        if isinstance(metric, Timer):
            buckets["buckets"] = LONG_SECONDS if metric.long else SECONDS
        return _CLASSES[type(metric)](name, metric.about, labels, registry=self.registry, **buckets)


def _legal(value: str) -> str:
    # A lone surrogate in a label's value would make the whole page unencodable.
    return value.encode("utf-8", "replace").decode()
