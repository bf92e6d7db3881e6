"""How a job is interrupted: stopped, cancelled, paused, or lost to another process."""

import pytest

from indexer.errors import JobCancelled, JobInterrupted, JobLost, JobPaused, JobStopped
from indexer.jobs.control import want
from indexer.messages.job_worker import Checkpoint, Job, JobSteps, Want
from indexer.messages.outcome import OutcomeKind
from indexer.messages.worker import Done
from tests.clock import Clock
from tests.each_row import each_row
from tests.loops.scripted import Scene, Steps, counting
from tests.toy.task import Task


def interrupted(scene: Scene, kind: type[JobInterrupted], steps: Steps) -> object:
    """The outcome of a job that is interrupted in its first step."""

    def wrapped(job: Job[Task, int]) -> JobSteps[int, Task]:
        run.interrupt(kind)
        assert job.stopping.is_set()
        return (yield from steps(job))

    run = scene.claim(wrapped)
    return run.handle()


def ending_by_itself(job: Job[Task, int]) -> JobSteps[int, Task]:
    """Steps that end properly, whatever interrupts them."""
    try:
        yield Checkpoint(1, [Task(job.id, text="step 1")])
    except JobInterrupted as why:
        yield Checkpoint(2, [Task(job.id, text=f"cleaned up: {type(why).__name__}")])
        return Done([Task(job.id, text="last")], "partial")
    raise AssertionError


@each_row(
    ("kind", "steps", "ending", "texts"),
    [
        (JobStopped, counting, "done stopped", ["step 1"]),
        (
            JobStopped,
            ending_by_itself,
            "done partial",
            ["step 1", "cleaned up: JobStopped", "last"],
        ),
        (JobCancelled, counting, "discard cancelled", ["step 1"]),
        (
            JobCancelled,
            ending_by_itself,
            "discard cancelled",
            ["step 1", "cleaned up: JobCancelled", "last"],
        ),
        (
            JobPaused,
            ending_by_itself,
            "done partial",
            ["step 1", "cleaned up: JobPaused", "last"],
        ),
    ],
)
def test_an_interrupted_job_ends_in_its_own_way(
    scene: Scene, kind: type[JobInterrupted], steps: Steps, ending: str, texts: list[str]
) -> None:
    scene.sent.clear()
    with scene.store.database.writing() as connection:
        connection.exec_driver_sql("DELETE FROM jobs")
        connection.exec_driver_sql("DELETE FROM job_outputs")
    scene.add()
    outcome = interrupted(scene, kind, steps)
    assert f"{scene.record().kind} {scene.record().status}" == ending
    assert scene.texts == texts
    assert outcome is not None


def test_a_paused_job_goes_on_at_once_elsewhere(scene: Scene) -> None:
    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        try:
            yield Checkpoint(1)
        except JobPaused:
            yield Checkpoint(1, [Task(job.id, text="paused")])
            raise
        return Done()

    assert interrupted(scene, JobPaused, steps) is None
    assert scene.record().deaths == 0
    assert scene.claim().handle() is not None
    assert scene.texts == ["paused", "step 2", "step 3", "all"]


def test_a_cleanup_that_fails_does_not_bring_a_cancelled_job_back(scene: Scene) -> None:
    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        try:
            yield Checkpoint(1)
        finally:
            raise OSError("the disk is full")

    interrupted(scene, JobCancelled, steps)
    found = scene.record()
    assert (found.kind, found.status) == ("discard", "cancelled")
    assert found.why == "OSError('the disk is full')"


def test_a_job_is_cancelled_while_it_waits_without_being_run(scene: Scene) -> None:
    want(scene.store.database, Want.CANCEL, "a", scene.store.clock())
    outcome = scene.claim().handle()
    assert outcome is not None
    assert (outcome.kind, outcome.status) == (OutcomeKind.DISCARD, "cancelled")
    assert scene.sent == []


def test_a_stop_that_came_while_a_job_waited_comes_at_its_first_checkpoint(scene: Scene) -> None:
    want(scene.store.database, Want.STOP, "a", scene.store.clock())
    scene.claim(ending_by_itself).handle()
    assert scene.texts == ["step 1", "cleaned up: JobStopped", "last"]


def test_the_strongest_interruption_comes_first_and_each_once(scene: Scene) -> None:
    seen: list[str] = []

    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        for kind in (JobPaused, JobStopped, JobCancelled):
            run.interrupt(kind)
        for number in range(5):
            try:
                yield Checkpoint(number)
            except JobInterrupted as why:
                seen.append(type(why).__name__)
        return None

    run = scene.claim(steps)
    run.handle()
    assert seen == ["JobCancelled", "JobStopped", "JobPaused"]


def test_nothing_of_a_lost_run_is_stored_or_sent(scene: Scene, clock: Clock) -> None:
    seen = []

    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        yield Checkpoint(1, [Task(job.id, text="before")])
        # It hangs for longer than its lease, and another process does all of the work.
        clock.sleep(120)
        scene.claim().handle()
        try:
            yield Checkpoint(2, [Task(job.id, text="late")])
        except JobLost:
            seen.append(job.stopping.is_set() or "lost")
            yield Checkpoint(3, [Task(job.id, text="later")])
        return [Task(job.id, text="latest")]

    run = scene.claim(steps)
    with pytest.raises(JobLost):
        run.handle()
    assert seen == ["lost"]
    assert scene.texts == ["before", "step 2", "step 3", "all"]
    assert scene.record().status == "success"


def test_an_interruption_by_loss_tells_code_that_waits(scene: Scene) -> None:
    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        run.interrupt(JobLost)
        assert job.lost.is_set()
        assert job.stopping.is_set()
        return None
        yield

    run = scene.claim(steps)
    run.handle()
