"""Numbers for statsd, by the names that dashboards have: stories.md 2.3.

    mc.<realm>.story-indexer.<process>.<name>.<label>_<value>:<number>|<kind>

Counts and gauges are added up, and sent with the timers once a second, many in a datagram.
"""

import logging
import re
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from indexer.errors import ConfigurationError
from indexer.metrics import Metric, MetricKind
from indexer.system.datagrams import Datagrams, Wire

log = logging.getLogger(__name__)

PORT = 8125

PACKET_BYTES = 1400
"""A datagram of this size crosses a network in one piece."""

NAME_LENGTH = 200
"""Characters of a label's value, or of a realm, at most."""

TIMES_KEPT = 1000
"""Times that wait to be sent; then they go at once."""

FLUSH_SECONDS = 1.0

_UNSAFE = re.compile(r"[^!-~]|[.:|;/\\]")
"""What ends a name or a part of it, in statsd or in what keeps its numbers."""


def open_statsd(url: str, realm: str, process: str) -> "Statsd | None":
    """The sink for `statsd://HOST[:PORT]`; None, with a line in the log, if one is missing.

    Raises ConfigurationError for another kind of URL.
    """
    host, port = _target(url) if url else ("", PORT)
    if not (host and realm):
        log.warning("no statsd: STATSD_URL and STATSD_REALM have to be set, both")
        return None
    statsd = Statsd(Datagrams(host, port), realm, process)
    statsd.start()
    return statsd


def _target(url: str) -> tuple[str, int]:
    try:
        parts = urlsplit(url)
        port = PORT if parts.port is None else parts.port
    except ValueError:
        port = 0
    if not port or parts.scheme != "statsd":
        raise ConfigurationError("STATSD_URL: not statsd://HOST or statsd://HOST:PORT")
    return parts.hostname or "", port


class Statsd:
    """A sink that sends. Thread-safe; neither blocks nor raises."""

    def __init__(self, wire: Wire, realm: str, process: str) -> None:
        self._wire = wire
        self._prefix = f"mc.{_safe(realm)}.story-indexer.{_safe(process)}"
        self._counts: defaultdict[str, float] = defaultdict(float)
        self._gauges: dict[str, float] = {}
        self._times: list[str] = []
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """From now on, send what there is once a second."""
        self._thread = threading.Thread(target=self._flush_for_ever, name="statsd", daemon=True)
        self._thread.start()

    def take(self, metric: Metric, value: float, labels: tuple[str, ...]) -> None:
        """See `Sink`."""
        name = self._name(metric, labels)
        with self._lock:
            match metric.kind:
                case MetricKind.COUNTER:
                    self._counts[name] += value
                case MetricKind.GAUGE:
                    self._gauges[name] = value
                case MetricKind.TIMER:
                    self._times.append(f"{name}:{_number(value * 1000)}|ms")
                case MetricKind.READING:
                    self._times.append(f"{name}:{_number(value)}|ms")
            full = len(self._times) >= TIMES_KEPT
        if full:
            self.flush()

    def forget(self, metric: Metric, labels: tuple[str, ...]) -> None:
        """See `Sink`. A server of statsd can't be told; what waits to be sent isn't."""
        with self._lock:
            self._gauges.pop(self._name(metric, labels), None)

    def flush(self) -> None:
        """Send what there is."""
        with self._lock:
            counts, self._counts = self._counts, defaultdict(float)
            gauges, self._gauges = self._gauges, {}
            times, self._times = self._times, []
        lines = [f"{name}:{_number(count)}|c" for name, count in counts.items()]
        lines += [_gauge(name, value) for name, value in gauges.items()]
        for packet in _packets([*lines, *times]):
            self._wire.send(packet)

    def close(self) -> None:
        """Send what there is, and end."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join()
        self.flush()
        self._wire.close()

    def _name(self, metric: Metric, labels: tuple[str, ...]) -> str:
        pairs = zip(metric.labels, labels, strict=True)
        parts = [f"{label}_{_safe(value)}" for label, value in pairs]
        return ".".join([self._prefix, metric.name, *parts])

    def _flush_for_ever(self) -> None:
        while not self._closed.wait(FLUSH_SECONDS):
            self.flush()


def _safe(value: str) -> str:
    """A part of a name that is nothing but that."""
    return _UNSAFE.sub("_", value[:NAME_LENGTH])


def _number(value: float) -> str:
    """Without an exponent, which not every server reads; thousandths at most."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if value % 1 else f"{value:.0f}"


def _gauge(name: str, value: float) -> str:
    """A number with a sign changes a gauge: what is below 0 has to be reached from there."""
    line = f"{name}:{_number(value)}|g"
    return f"{name}:0|g\n{line}" if value < 0 else line


def _packets(lines: Iterable[str]) -> Iterator[bytes]:
    """Lines in datagrams of a size that travels in one piece."""
    packet = b""
    for line in (each.encode() for each in lines):
        if packet and len(packet) + 1 + len(line) > PACKET_BYTES:
            yield packet
            packet = b""
        packet = packet + b"\n" + line if packet else line
    if packet:
        yield packet
