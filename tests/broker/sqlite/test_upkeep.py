"""The upkeep of the embedded broker: expired messages, and those of dead consumers."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.broker.sqlite.broker import SQLiteBroker
from indexer.broker.sqlite.database import QueueDatabase
from indexer.broker.sqlite.upkeep import PROBE_SECONDS, Upkeep
from indexer.messages.message import Send
from indexer.messages.topology import Queue, Topology

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
    broker: SQLiteBroker, database: QueueDatabase, monkeypatch: pytest.MonkeyPatch, held: bool
) -> None:
    broker.publish([Send("", "delay" if held else "stuck", b"x", delay=60)])
    if held:
        assert broker.consume("delay", 1).receive(0)
    later = time.time() + 61
    monkeypatch.setattr(time, "time", lambda: later)
    upkeep = Upkeep(database)
    before = database.version()
    assert upkeep.run() == PROBE_SECONDS
    assert upkeep.run() == PROBE_SECONDS
    assert database.version() == before


def test_upkeep_moves_expired_messages_and_returns_the_time_to_the_next(
    broker: SQLiteBroker, database: QueueDatabase
) -> None:
    sends = [Send("", queue, b"x", delay=delay) for queue, delay in MIXED]
    broker.publish(sends)
    assert 0 < Upkeep(database).run() <= 0.2
    depth = broker.depth("in")
    assert depth
    assert depth.ready == 2
