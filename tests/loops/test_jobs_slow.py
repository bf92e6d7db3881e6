"""Failures around the loop of job workers, on each broker and each database."""

import threading
from contextlib import suppress

import pytest

from indexer.errors import JobPaused, StorageError, Unroutable
from indexer.jobs.control import want
from indexer.jobs.job_state import JobState
from indexer.messages.exchanges import Exchange, Unheard
from indexer.messages.job_worker import Checkpoint, Job, JobSteps, Want
from indexer.messages.message import Send
from indexer.messages.topology import Queue, Topology
from tests.broker.conftest import soon
from tests.loops.job_place import TOPOLOGY, JobPlace, waits
from tests.patience import PATIENCE
from tests.toy.task import Command, Task


def test_a_message_that_comes_back_from_the_quarantine_runs_its_job_again(place: JobPlace) -> None:
    def fails(job: Job[Task, int]) -> JobSteps[int, Task]:
        yield Checkpoint(2)
        raise ValueError("bug")

    place.queue(Task("a"))
    assert place.run(fails) == ["error"]
    for _ in range(2):
        place.clock.sleep(60)
        assert place.run(fails) == ["error"]
    assert place.state("a") is JobState.QUARANTINED
    assert place.depth("work-quar") == 1
    place.queue(Task("a"))
    assert place.run() == ["success"]
    assert place.sent() == ["step 3", "all"]


def test_a_job_that_waits_for_its_next_try_does_not_keep_a_run_going(place: JobPlace) -> None:
    def fails(job: Job[Task, int]) -> JobSteps[int, Task]:
        raise ValueError("bug")
        yield

    place.queue(Task("a"))
    assert place.run(fails) == ["error"]
    assert place.state("a") is JobState.WAITING
    assert place.run() == []
    place.clock.sleep(60)
    assert place.run() == ["success"]


def test_a_control_message_that_cannot_be_read_is_quarantined_and_others_are_heard(
    place: JobPlace,
) -> None:
    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        place.broker.publish([Send("", "work-commands", b"junk")])
        place.queue(
            Command("unknown", text="stop"),
            Command("\0", text="stop"),
            Command("a", text="jump"),
            Command("a", text="stop"),
            to="work-commands",
        )
        yield from waits(job)
        return None

    place.queue(Task("a"))
    assert sorted(place.run(steps)) == ["bad-message", "bad-message", "stopped"]
    assert place.depth("work-quar") == 2


def test_a_job_of_a_program_that_hangs_is_run_by_another_and_ends_once(place: JobPlace) -> None:
    def hangs(job: Job[Task, int]) -> JobSteps[int, Task]:
        yield Checkpoint(1, [Task(job.id, text="before")])
        # Nothing has renewed its lease for so long.
        place.clock.sleep(120)
        other = place.runner()
        other.run(threading.Event())
        assert job.lost.wait(PATIENCE)
        yield Checkpoint(2, [Task(job.id, text="late")])
        return None

    place.queue(Task("a"))
    assert place.run(hangs) == ["success"]
    assert place.sent() == ["before", "step 2", "step 3", "all"]


def test_a_job_is_cancelled_while_its_program_waits_for_it(place: JobPlace) -> None:
    stop = threading.Event()

    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        stop.set()
        assert job.stopping.wait(PATIENCE)
        want(place.database, Want.CANCEL, "a", place.now())
        while True:
            with suppress(JobPaused):
                yield Checkpoint(1)

    place.queue(Task("a"))
    place.runner(steps).run(stop)
    assert [outcome.status for outcome in place.outcomes] == ["cancelled"]


def test_a_failure_of_the_database_ends_the_program_although_a_job_hangs(
    place: JobPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.loops.jobs.FAILURE_SECONDS", 0.0)
    hanging = threading.Event()

    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        with place.database.writing() as connection:
            connection.exec_driver_sql("DROP TABLE jobs")
        hanging.wait(PATIENCE)
        yield Checkpoint(1)
        return None

    place.queue(Task("a"))
    runner = place.runner(steps)
    with pytest.raises(StorageError, match="jobs"):
        runner.run(threading.Event())
    hanging.set()
    # The job's thread uses the database until it has ended.
    assert soon(lambda: not runner._running)


def test_an_output_that_no_queue_takes_ends_the_program_and_is_sent_later(place: JobPlace) -> None:
    place.broker.delete(Topology(queues=[Queue("sink-in")]))
    place.queue(Task("a"))
    with pytest.raises(Unroutable, match="work-out"):
        place.run()
    place.broker.declare(TOPOLOGY.compile())
    place.clock.sleep(120)
    assert place.run() == ["success"]
    assert place.sent() == ["step 1", "step 2", "step 3", "all"]


def test_the_answer_to_a_second_message_may_be_unheard(place: JobPlace) -> None:
    place.queue(Task("a"))
    place.run()
    place.broker.delete(Topology(queues=[Queue("sink-in")]))
    place.queue(Task("a"))
    place.unheard = Exchange("", {"#": Unheard.RETURNED})
    assert place.run() == ["repeated"]
    assert place.depth("work-in") == 0
