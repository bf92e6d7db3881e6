"""A run does not end while a job is open, and starts programs again whose jobs go on."""

import threading
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from indexer.broker import open_broker
from indexer.jobs.control import load
from indexer.jobs.store import open_jobs
from indexer.messages.exchanges import Exchange
from indexer.messages.message import Send
from indexer.messages.outcome import OutcomeKind
from indexer.messages.pipelines import Pipeline, Step
from indexer.running.supervisor import RunPlan, Supervisor
from indexer.running.tally import Tally
from indexer.system.options import environment
from tests.paths import ROOT
from tests.toy.task import Task

PIPELINE = Pipeline(
    "toy",
    [
        Step("source", to=["steps"], program="tests.toy.source"),
        Step("steps", instances=["command.*"], program="tests.toy.steps"),
    ],
    exchange=Exchange("toy"),
)


def settings(data: Path) -> Mapping[str, str]:
    """The environment of the programs."""
    given = {
        "PYTHONPATH": str(ROOT),
        "DATAROOT": str(data),
        "TOY_DIED": str(data / "died"),
        "TOY_STEP_SECONDS": "0.4",
    }
    return {**environment(), **given}


def test_a_run_ends_when_its_jobs_have_ended_also_if_a_program_dies(tmp_path: Path) -> None:
    tally = Tally()
    with closing(open_broker(f"sqlite:///{tmp_path}/queues.sqlite3")) as broker:
        broker.declare(PIPELINE.compile())
        tasks = [Task("a", 5, "once"), Task("b", 1), Task("b", 1)]
        broker.publish([Send("", "steps-in", task.dump()) for task in tasks])
        plan = RunPlan(PIPELINE, {}, settings(tmp_path), tmp_path, {"steps": 2})
        assert Supervisor(plan, broker, tally).run(threading.Event()) is True
    assert tally.by_status(OutcomeKind.DONE) == {"success": 2, "repeated": 1}
    with closing(open_jobs(f"sqlite:///{tmp_path}/jobs.sqlite3", make=False)) as database:
        [job] = load(database, "a")
    assert (job.record.kind, job.record.outputs) == ("done", 6)
