"""An embedded broker with some queues."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.broker.sqlite.broker import SQLiteBroker
from indexer.messages.topology import Queue, Topology

TOPOLOGY = Topology([Queue("in", dead_letter="quar"), Queue("quar"), Queue("delay", "in")])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The broker's file."""
    return tmp_path / "queues.sqlite3"


@pytest.fixture
def broker(path: Path) -> Iterator[SQLiteBroker]:
    """The broker, with the queues `in`, `quar` and `delay`."""
    broker = SQLiteBroker.open(f"sqlite:///{path}")
    broker.declare(TOPOLOGY)
    yield broker
    broker.close()
