"""The upkeep of the embedded broker: expired messages, and those of dead consumers."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from indexer.broker.sqlite.broker import SQLiteBroker
from indexer.broker.sqlite.database import QueueDatabase
from indexer.broker.sqlite.upkeep import PROBE_SECONDS, Upkeep
from indexer.messages.exchanges import Unheard
from indexer.messages.message import Send
from indexer.messages.topology import Binding, Queue, Topology
from tests.clock import Clock

TOPOLOGY = Topology([Queue("in"), Queue("delay", "in"), Queue("stuck", "missing")])
MIXED = [("stuck", 0), ("delay", 0), ("delay", 0.2), ("stuck", 0), ("delay", 0)]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[SQLiteBroker]:
    broker = SQLiteBroker(tmp_path / "queues.sqlite3")
    broker.declare(TOPOLOGY)
    yield broker
    broker.close()


@pytest.fixture
def database(broker: SQLiteBroker, tmp_path: Path) -> Iterator[QueueDatabase]:
    database = QueueDatabase(tmp_path / "queues.sqlite3")
    yield database
    database.close()


@pytest.mark.parametrize("held", [False, True])
def test_upkeep_with_nothing_to_do_writes_nothing(
    broker: SQLiteBroker, database: QueueDatabase, held: bool
) -> None:
    broker.publish([Send("", "delay" if held else "stuck", b"x", delay=60)])
    if held:
        assert broker.consume("delay", 1).receive(0)
    upkeep = Upkeep(database, lambda: time.time() + 61)
    before = database.version()
    assert upkeep.run() == PROBE_SECONDS
    assert upkeep.run() == PROBE_SECONDS
    assert database.version() == before


def test_upkeep_moves_expired_messages_and_returns_the_time_to_the_next(
    database: QueueDatabase, clock: Clock
) -> None:
    sends = [Send("", queue, b"x", delay=delay) for queue, delay in MIXED]
    with closing(SQLiteBroker(database.path, clock)) as dated:
        dated.publish(sends)
        assert Upkeep(database, clock).run() == pytest.approx(0.2)
        depth = dated.depth("in")
    assert depth
    assert depth.ready == 2


EXPIRING = Queue("stop_host", expires=600)


@pytest.fixture
def upkeep(database: QueueDatabase, clock: Clock) -> Callable[[float], None]:
    """Moves the clock by some seconds, and does the upkeep of another process."""

    def after(seconds: float) -> None:
        clock.sleep(seconds)
        Upkeep(database, clock).run()

    return after


@pytest.fixture
def expiring(tmp_path: Path, clock: Clock) -> Iterator[SQLiteBroker]:
    """A broker with a queue that expires, and a message in it."""
    broker = SQLiteBroker(tmp_path / "queues.sqlite3", clock)
    broker.declare(Topology([EXPIRING], ["out"], [Binding("out", "stop_host", "#")]))
    broker.publish([Send("out", "stop", b"x")])
    yield broker
    broker.close()


def test_a_queue_expires_with_its_messages_when_it_had_no_consumer(
    expiring: SQLiteBroker, upkeep: Callable[[float], None]
) -> None:
    upkeep(599)
    assert expiring.depth("stop_host") == (1, 0, 0, 1)
    upkeep(1)
    assert expiring.depth("stop_host") is None
    send = Send("out", "stop", b"", unheard=Unheard.RETURNED)
    assert expiring.publish([send]) == [send]


def test_a_queue_with_a_consumer_does_not_expire(
    expiring: SQLiteBroker, upkeep: Callable[[float], None]
) -> None:
    consumer = expiring.consume("stop_host", 1)
    upkeep(6000)
    consumer.close()
    upkeep(599)
    assert expiring.depth("stop_host") == (1, 0, 0, 1)
    upkeep(1)
    assert expiring.depth("stop_host") is None


def test_the_time_of_an_instance_that_starts_again_begins_anew(
    expiring: SQLiteBroker, upkeep: Callable[[float], None]
) -> None:
    upkeep(599)
    expiring.declare(Topology([EXPIRING]))
    upkeep(599)
    assert expiring.depth("stop_host") == (1, 0, 0, 1)


def test_other_queues_never_expire(
    broker: SQLiteBroker, expiring: SQLiteBroker, upkeep: Callable[[float], None]
) -> None:
    broker.publish([Send("", "in", b"x")])
    upkeep(1e9)
    assert broker.depth("in") == (1, 0, 0, 1)
