"""A step's output goes to several steps: a second consumer, on the broker that a URL chooses."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.broker import open_broker
from indexer.options import environment
from indexer.outcome import Kind
from indexer.supervisor import Plan, Supervisor
from indexer.tally import Tally
from indexer.topology import Pipeline, Step
from tests import services

ROOT = Path(__file__).parent.parent

FORKED = Pipeline(
    "forked",
    [
        Step("source", to=["work"], program="tests.toy.source"),
        Step("work", to=["sink", "second-sink"], program="tests.toy.work"),
        Step("sink", program="tests.toy.sink"),
        Step("second-sink", program="tests.toy.sink"),
    ],
)


@pytest.fixture(params=["sqlite", pytest.param("rabbitmq", marks=pytest.mark.external)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "rabbitmq":
        services.require("rabbitmq")
        with services.virtual_host() as url:
            yield url
    else:
        yield f"sqlite:///{tmp_path / 'queues.sqlite3'}"


def test_each_consumer_of_a_fork_gets_every_message(url: str, tmp_path: Path) -> None:
    settings = {"PYTHONPATH": str(ROOT), "DATAROOT": str(tmp_path), "BROKER_URL": url}
    links = ["a", "b", "c", "drop"]
    plan = Plan(FORKED, {"source": ["--loop", *links]}, {**environment(), **settings}, tmp_path)
    tally = Tally()
    broker = open_broker(url)
    broker.declare(FORKED.compile())
    try:
        assert Supervisor(plan, broker, tally).run(threading.Event()) is True
    finally:
        broker.close()
    for sink in ("sink", "second-sink"):
        assert tally.by_status(Kind.DONE, sink) == {"success": 3}
        lines = [file.read_text().split("\n") for file in (tmp_path / sink).iterdir()]
        assert sorted(line for each in lines for line in each) == ["a", "b", "c"]
