"""A fork: several steps get the output of one, on each broker."""

import threading
from pathlib import Path

from indexer.broker import open_broker
from indexer.messages.outcome import OutcomeKind
from indexer.messages.pipelines import Pipeline, Step
from indexer.running.supervisor import RunPlan, Supervisor
from indexer.running.tally import Tally
from indexer.system.options import environment
from tests.paths import ROOT

FORKED = Pipeline(
    "forked",
    [
        Step("source", to=["work"], program="tests.toy.source"),
        Step("work", to=["sink", "second-sink"], program="tests.toy.work"),
        Step("sink", program="tests.toy.sink"),
        Step("second-sink", program="tests.toy.sink"),
    ],
)


def test_each_consumer_of_a_fork_gets_every_message(broker_url: str, tmp_path: Path) -> None:
    settings = {"PYTHONPATH": str(ROOT), "DATAROOT": str(tmp_path), "BROKER_URL": broker_url}
    links = ["a", "b", "c", "drop"]
    plan = RunPlan(FORKED, {"source": ["--loop", *links]}, {**environment(), **settings}, tmp_path)
    tally = Tally()
    broker = open_broker(broker_url)
    broker.declare(FORKED.compile())
    try:
        assert Supervisor(plan, broker, tally).run(threading.Event()) is True
    finally:
        broker.close()
    for sink in ("sink", "second-sink"):
        assert tally.by_status(OutcomeKind.DONE, sink) == {"success": 3}
        lines = [file.read_text().split("\n") for file in (tmp_path / sink).iterdir()]
        assert sorted(line for each in lines for line in each) == ["a", "b", "c"]
