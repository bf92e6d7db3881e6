"""Fake sinks and wires, and undeclared metrics, for tests."""

from indexer.metrics import Counter, Gauge, Metric, Reading, Timer
from indexer.system.datagrams import Datagrams

FILES = Counter("test.files", "of a test", ("status",))
DEPTH = Gauge("test.depth", "of a test", ("name",))
LEVEL = Gauge("test.level", "of a test", ())
FETCH = Timer("test.fetch-time", "of a test", ())
DAY = Reading("test.day", "of a test", ())
PAIR = Counter("test.pair", "of a test", ("a", "b"))


class Heard:
    """A sink that records all values."""

    def __init__(self) -> None:
        self.numbers: list[tuple[str, float, tuple[str, ...]]] = []
        self.forgotten: list[tuple[str, tuple[str, ...]]] = []

    def take(self, metric: Metric, value: float, labels: tuple[str, ...]) -> None:
        """See `Sink`."""
        self.numbers.append((metric.name, value, labels))

    def forget(self, metric: Metric, labels: tuple[str, ...]) -> None:
        """See `Sink`."""
        self.forgotten.append((metric.name, labels))


class Wire(Datagrams):
    """A wire that records datagrams."""

    def __init__(self) -> None:  # no sockets
        self.datagrams: list[bytes] = []
        self.closed = False

    def send(self, datagram: bytes) -> None:
        """Record a datagram."""
        self.datagrams.append(datagram)

    def close(self) -> None:
        """Record the closing."""
        self.closed = True

    @property
    def lines(self) -> list[str]:
        """The lines of all datagrams."""
        return [line for each in self.datagrams for line in each.decode().split("\n")]
