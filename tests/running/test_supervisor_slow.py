"""A run of small programs as processes, on the embedded broker."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from indexer.broker import Broker, open_broker
from indexer.errors import ProgramFailed
from indexer.messages.outcome import OutcomeKind
from indexer.messages.pipelines import Pipeline, Step
from indexer.running.supervisor import RunPlan, Supervisor, left
from indexer.running.tally import Tally
from indexer.system.options import environment
from tests.paths import ROOT

PIPELINE = Pipeline(
    "toy",
    [
        Step("source", to=["work"], program="tests.toy.source"),
        Step("work", to=["sink"], program="tests.toy.work"),
        Step("sink", program="tests.toy.sink"),
    ],
)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    opened = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    opened.declare(PIPELINE.compile())
    yield opened
    opened.close()


@pytest.fixture
def plan(tmp_path: Path) -> Callable[..., RunPlan]:
    def make(links: Sequence[str], **replicas: int) -> RunPlan:
        settings = {
            "PYTHONPATH": str(ROOT),
            "DATAROOT": str(tmp_path),
            "BROKER_URL": f"sqlite:///{tmp_path / 'queues.sqlite3'}",
            "TOY_DIED": str(tmp_path / "died"),
            "MAX_RETRIES": "2",
        }
        variables = {**environment(), **settings}
        return RunPlan(PIPELINE, {"source": ["--loop", *links]}, variables, tmp_path, replicas)

    return make


def test_all_is_drained_batches_are_flushed_and_everything_is_counted(
    broker: Broker, plan: Callable[..., RunPlan], tmp_path: Path
) -> None:
    tally = Tally()
    links = ["a", "b", "c", "drop", "skip", "later", "slow"]
    assert Supervisor(plan(links, work=2), broker, tally).run(threading.Event()) is True
    assert tally.count(OutcomeKind.QUEUED) == 6
    assert tally.by_status(OutcomeKind.SKIPPED) == {"bad": 1}
    assert tally.by_status(OutcomeKind.DISCARD) == {"dropped": 1, "not-yet": 1}
    assert tally.by_status(OutcomeKind.RETRY) == {"not-yet": 2}
    assert tally.count(OutcomeKind.DONE, "sink") == 4
    written = [Path(url).read_text().split("\n") for url in tally.made]
    assert sorted(link for batch in written for link in batch) == ["a", "b", "c", "slow"]
    assert all(tally.usage(step).cpu > 0 for step in ("source", "work", "sink"))
    assert tally.usage("work").peak > 1_000_000


def test_a_program_that_dies_is_started_again_and_loses_nothing(
    broker: Broker, plan: Callable[..., RunPlan]
) -> None:
    tally = Tally()
    supervisor = Supervisor(plan(["a", "once", "b"]), broker, tally)
    assert supervisor.run(threading.Event()) is True
    assert tally.count(OutcomeKind.DONE, "sink") == 3
    told = [f"{problem.step}: {problem.text}" for problem in supervisor.problems.new()]
    assert len(told) == 1, told
    assert "; started again, 1 of 3 times" in told[0]


def test_a_program_that_starts_slowly_gets_all_and_is_no_failure(
    broker: Broker, plan: Callable[..., RunPlan], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The first check is before the source has sent anything, the next one after it has ended.
    monkeypatch.setattr("indexer.running.supervisor.CHECK_SECONDS", 2.0)
    monkeypatch.setattr("indexer.running.supervisor.QUIET_CHECKS", 1)
    late = replace(PIPELINE.steps[1], program="tests.toy.late")
    pipeline = replace(PIPELINE, steps=[PIPELINE.steps[0], late, PIPELINE.steps[2]])
    tally = Tally()
    supervisor = Supervisor(replace(plan(["a", "b"]), pipeline=pipeline), broker, tally)
    assert supervisor.run(threading.Event()) is True
    assert tally.count(OutcomeKind.DONE, "sink") == 2
    assert supervisor.problems.new() == []


def test_a_program_that_keeps_dying_ends_the_run_and_is_named(
    broker: Broker, plan: Callable[..., RunPlan]
) -> None:
    with pytest.raises(ProgramFailed, match="work ended with status 70"):
        Supervisor(plan(["die"]), broker, Tally()).run(threading.Event())
    assert left(broker, Step("work")) == 1


def test_a_producer_that_fails_is_told_of_and_what_it_had_queued_is_handled(
    broker: Broker, plan: Callable[..., RunPlan]
) -> None:
    tally = Tally()
    supervisor = Supervisor(plan(["a", "fail"]), broker, tally)
    assert supervisor.run(threading.Event()) is True
    assert tally.count(OutcomeKind.DONE, "sink") == 1
    assert supervisor.unread == ["the input is broken"]


def test_a_batch_that_fails_again_and_again_ends_the_run_and_loses_nothing(
    broker: Broker, plan: Callable[..., RunPlan]
) -> None:
    supervisor = Supervisor(plan(["a", "nowhere"]), broker, Tally())
    with pytest.raises(ProgramFailed, match="there is no store"):
        supervisor.run(threading.Event())
    assert left(broker, Step("sink")) == 2
    assert len(supervisor.problems.new()) == 4
    assert supervisor.problems.ends["sink"].startswith("4 times, the last: ")


def test_a_batch_that_fails_at_a_stop_is_told_of(
    broker: Broker, plan: Callable[..., RunPlan]
) -> None:
    tally, stop = Tally(), threading.Event()
    supervisor = Supervisor(plan(["a", "nowhere"]), broker, tally)
    supervisor.tick = lambda: stop.set() if tally.count(OutcomeKind.DONE, "work") > 1 else None
    supervisor.run(stop)
    assert "there is no store" in supervisor.problems.ends["sink"]


def test_options_that_cannot_work_are_not_tried_again(
    broker: Broker, plan: Callable[..., RunPlan]
) -> None:
    wrong = plan(["a"])
    wrong.arguments = {**wrong.arguments, "sink": ["--batch-seconds=9999"]}
    with pytest.raises(ProgramFailed, match="at most 1500"):
        Supervisor(wrong, broker, Tally()).run(threading.Event())


def test_a_stop_ends_it_cleanly_and_the_rest_is_kept(
    broker: Broker, plan: Callable[..., RunPlan]
) -> None:
    tally = Tally()
    supervisor = Supervisor(plan([f"slow{n}" if n else "slow" for n in range(50)]), broker, tally)
    stop = threading.Event()

    def tick() -> None:
        if tally.count(OutcomeKind.DONE, "work"):
            stop.set()

    supervisor.tick = tick
    assert supervisor.run(stop) in (False, True)
    done = tally.count(OutcomeKind.DONE, "sink")
    assert done + sum(left(broker, Step(name)) for name in ("work", "sink")) == 50


def test_a_second_run_goes_on_where_the_first_stopped(
    broker: Broker, plan: Callable[..., RunPlan]
) -> None:
    stopped = threading.Event()
    stopped.set()
    first, second = Tally(), Tally()
    Supervisor(plan(["a", "b"]), broker, first).run(threading.Event())
    assert Supervisor(plan(["c"]), broker, first).run(stopped) is False
    again = plan([])
    again.arguments = {}
    assert Supervisor(again, broker, second).run(threading.Event()) is True
    assert first.count(OutcomeKind.DONE, "sink") + second.count(OutcomeKind.DONE, "sink") == 2 + (
        first.count(OutcomeKind.QUEUED) - 2
    )


def test_a_producer_without_anything_to_read_is_not_started(plan: Callable[..., RunPlan]) -> None:
    made = plan(["a"])
    more = Pipeline("more", [Step("idle", to=["work"]), *PIPELINE.steps])
    steps = replace(made, pipeline=more).started.steps
    assert [step.name for step in steps] == ["source", "work", "sink"]


ENDLESS = Pipeline(
    "endless",
    [Step("ticker", to=["work"], program="tests.toy.ticker"), *PIPELINE.steps[1:]],
)


@pytest.fixture
def endless(broker: Broker, plan: Callable[..., RunPlan]) -> Callable[..., RunPlan]:
    """A plan whose producer does not end."""

    def make(*links: str) -> RunPlan:
        broker.declare(ENDLESS.compile())
        arguments = {"ticker": ["--loop", *links]}
        return replace(plan([]), pipeline=ENDLESS, arguments=arguments, endless=True)

    return make


def test_a_producer_that_never_ends_is_stopped_when_it_is_enough_and_the_rest_is_drained(
    broker: Broker, endless: Callable[..., RunPlan]
) -> None:
    tally = Tally()
    supervisor = Supervisor(endless("a"), broker, tally)
    supervisor.is_enough = lambda: tally.count(OutcomeKind.DONE, "work") >= 2
    assert supervisor.run(threading.Event()) is True
    assert tally.count(OutcomeKind.DONE, "sink") == tally.count(OutcomeKind.QUEUED, "ticker") >= 2
    assert not any(left(broker, Step(name)) for name in ("work", "sink"))


def test_a_producer_that_never_ends_is_started_again_when_it_dies(
    broker: Broker, endless: Callable[..., RunPlan], tmp_path: Path
) -> None:
    tally = Tally()
    supervisor = Supervisor(endless("once"), broker, tally)
    supervisor.is_enough = lambda: tally.count(OutcomeKind.QUEUED, "ticker") > 1
    assert supervisor.run(threading.Event()) is True
    assert (tmp_path / "died").exists()
    assert supervisor.unread == []


def test_what_waits_for_its_next_try_is_kept_by_a_run_that_was_never_to_end(
    broker: Broker, endless: Callable[..., RunPlan]
) -> None:
    tally = Tally()
    supervisor = Supervisor(endless("next-run"), broker, tally)
    supervisor.is_enough = lambda: tally.count(OutcomeKind.RETRY, "work") > 0
    assert supervisor.run(threading.Event()) is True
    assert left(broker, Step("work")) == 1


def test_a_stop_ends_what_never_ends(broker: Broker, endless: Callable[..., RunPlan]) -> None:
    tally, stop = Tally(), threading.Event()
    supervisor = Supervisor(endless(), broker, tally)
    supervisor.tick = lambda: stop.set() if tally.count(OutcomeKind.DONE, "work") else None
    assert supervisor.run(stop) is False
    done = tally.count(OutcomeKind.DONE, "sink")
    assert done + sum(left(broker, Step(name)) for name in ("work", "sink")) == (
        tally.count(OutcomeKind.QUEUED, "ticker")
    )
