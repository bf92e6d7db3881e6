"""Counting failures, and the names of programs; whole runs are in `test_supervisor_slow.py`."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from indexer.broker import open_broker
from indexer.messages.message import Send
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.topology import waiting_queues
from indexer.running import supervisor
from indexer.running.supervisor import HEALTHY_SECONDS, Failures, RunPlan, Supervisor, left
from indexer.running.tally import Tally
from tests.clock import Clock


def test_failures_are_forgotten_after_a_time_of_health(clock: Clock) -> None:
    failures = Failures(clock)
    assert [failures.count("work") for _ in range(3)] == [1, 2, 3]
    assert failures.count("sink") == 1
    clock.sleep(HEALTHY_SECONDS + 1)
    assert [failures.count("work") for _ in range(2)] == [1, 2]


def test_programs_get_the_name_of_their_queue_and_replicas_names_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = [Step("source", to=["named", "work"]), Step("named", queue="a_queue"), Step("work")]
    plan = RunPlan(Pipeline("p", steps), {}, {}, tmp_path, {"named": 2})
    started: list[dict[str, str]] = []

    def process(*arguments: Any) -> Any:
        started.append(arguments[3])
        return SimpleNamespace(status=0, stop=lambda: None, kill=lambda: None, wait=lambda _: 0)

    monkeypatch.setattr(supervisor, "Process", process)
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    running = Supervisor(plan, broker, Tally())
    for step in plan.consumers:
        running._start(step)
    broker.close()
    assert [(each["PROCESS_NAME"], each.get("INPUT_QUEUE")) for each in started] == [
        ("named", "a_queue"),
        ("named", "a_queue"),
        ("work", None),
    ]
    assert len({each["INSTANCE"] for each in started[:2]}) == 2


def test_the_messages_left_are_those_of_the_named_queue_and_all_that_wait(tmp_path: Path) -> None:
    pipeline = Pipeline("p", [Step("a", to=["b"]), Step("b", queue="named")])
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    broker.declare(pipeline.compile())
    waiting = waiting_queues("b")
    broker.publish([Send("", name, b"", delay=3600) for name in ("named", *waiting)])
    assert left(broker, pipeline.steps[1]) == len(waiting) + 1
    broker.close()
