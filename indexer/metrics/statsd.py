"""The statsd sink, with the names that existing dashboards read (stories.md 2.3).

    mc.<realm>.story-indexer.<process>.<name>.<label>_<value>:<number>|<kind>
    <prefix>.<name>.<label>_<value>:<number>|<kind>      with a prefix: rss-fetcher (feeds.md 12)

Counters are summed, gauges keep their last value; both are sent with the timers once a second,
many in a datagram.
"""

import logging
import re
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from indexer.errors import ConfigurationError
from indexer.metrics import Counter, Gauge, Metric, Timer
from indexer.system.datagrams import Datagrams

log = logging.getLogger(__name__)

PORT = 8125

PACKET_BYTES = 1400
"""Networks pass a datagram of this size without fragments: an Ethernet packet has 1500 bytes."""

NAME_LENGTH = 200
"""The maximal number of characters of a label's value or a realm."""

TIMES_KEPT = 1000
"""Timers' values that wait for the next second; then all are sent at once."""

FLUSH_SECONDS = 1.0

_UNSAFE = re.compile(r"[^!-~]|[.:|;/\\]")
"""Characters that end a name or a part of it, in statsd or Graphite."""


def open_statsd(url: str, realm: str, process: str, prefix: str = "") -> "Statsd | None":
    """Open the sink for `statsd://HOST[:PORT]`. Raises ConfigurationError for other URLs.

    A `prefix` replaces the one made of realm and process. Without host, or without realm and
    prefix, log a warning and return None.
    """
    host, port = _target(url) if url else ("", PORT)
    if not (host and (realm or prefix)):
        log.warning("no statsd: STATSD_URL must be set, and STATSD_REALM or STATSD_PREFIX")
        return None
    statsd = Statsd(Datagrams(host, port), prefix_of(realm, process, prefix))
    statsd.start()
    return statsd


def prefix_of(realm: str, process: str, given: str = "") -> str:
    """The beginning of all names: the given one, else one made of realm and process."""
    parts = given.strip(".").split(".") if given else ["mc", realm, "story-indexer", process]
    return ".".join(map(_safe, parts))


def _target(url: str) -> tuple[str, int]:
    try:
        parts = urlsplit(url)
        port = PORT if parts.port is None else parts.port
    except ValueError:
        port = 0
    if not port or parts.scheme != "statsd":
        raise ConfigurationError("STATSD_URL must be statsd://HOST or statsd://HOST:PORT")
    return parts.hostname or "", port


class Statsd:
    """A sink that sends datagrams. Thread-safe; neither blocks nor raises."""

    def __init__(self, wire: Datagrams, prefix: str) -> None:
        self._wire = wire
        self._prefix = prefix
        self._counts: defaultdict[str, float] = defaultdict(float)
        self._gauges: dict[str, float] = {}
        self._times: list[str] = []
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start to send the collected values once a second."""
        self._thread = threading.Thread(target=self._flush_for_ever, name="statsd", daemon=True)
        self._thread.start()

    def take(self, metric: Metric, value: float, labels: tuple[str, ...]) -> None:
        """See `Sink`."""
        name = self._name(metric, labels)
        with self._lock:
            match metric:
                case Counter():
                    self._counts[name] += value
                case Gauge():
                    self._gauges[name] = value
                case _:
                    # statsd has no kind for readings; dashboards expect them as `ms`, unscaled.
                    number = _number(value * 1000 if isinstance(metric, Timer) else value)
                    self._times.append(f"{name}:{number}|ms")
            full = len(self._times) >= TIMES_KEPT
        if full:
            self.flush()

    def forget(self, metric: Metric, labels: tuple[str, ...]) -> None:
        """See `Sink`."""
        # The protocol can't remove a gauge, but a value that is not sent yet can be dropped.
        with self._lock:
            self._gauges.pop(self._name(metric, labels), None)

    def flush(self) -> None:
        """Send the collected values."""
        with self._lock:
            counts, self._counts = self._counts, defaultdict(float)
            gauges, self._gauges = self._gauges, {}
            times, self._times = self._times, []
        lines = [f"{name}:{_number(count)}|c" for name, count in counts.items()]
        lines += [_gauge(name, value) for name, value in gauges.items()]
        for packet in _packets([*lines, *times]):
            self._wire.send(packet)

    def close(self) -> None:
        """Send the collected values and stop the thread."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join()
        self.flush()
        self._wire.close()

    def _name(self, metric: Metric, labels: tuple[str, ...]) -> str:
        parts = [f"{label}_{_safe(value)}" for label, value in metric.named(labels).items()]
        return ".".join([self._prefix, metric.name, *parts])

    def _flush_for_ever(self) -> None:
        while not self._closed.wait(FLUSH_SECONDS):
            self.flush()


def _safe(value: str) -> str:
    """Return a value as one part of a name."""
    return _UNSAFE.sub("_", value[:NAME_LENGTH])


def _number(value: float) -> str:
    """Format a number with up to three decimals, and no exponent: not every server reads those."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if value % 1 else f"{value:.0f}"


def _gauge(name: str, value: float) -> str:
    line = f"{name}:{_number(value)}|g"
    # A signed number changes a gauge by that amount, so a negative value is set from 0.
    return f"{name}:0|g\n{line}" if value < 0 else line


def _packets(lines: Iterable[str]) -> Iterator[bytes]:
    """Join lines to datagrams of at most PACKET_BYTES."""
    packet = b""
    for line in (each.encode() for each in lines):
        if packet and len(packet) + 1 + len(line) > PACKET_BYTES:
            yield packet
            packet = b""
        packet = packet + b"\n" + line if packet else line
    if packet:
        yield packet
