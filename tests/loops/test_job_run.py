"""One run of a job: what is stored and sent, and how it ends."""

from datetime import timedelta

import msgspec
import pytest
from sqlalchemy import update

from indexer.errors import (
    BrokerError,
    Discard,
    JobCancelled,
    JobPaused,
    JobStopped,
    Quarantine,
    Requeue,
    Retry,
    StorageError,
    Unroutable,
)
from indexer.jobs.control import load, retry, want
from indexer.jobs.job import text_of
from indexer.jobs.job_state import JobState
from indexer.jobs.models import jobs
from indexer.messages.job_worker import Checkpoint, Job, JobSteps, Want
from indexer.messages.message import SINCE_HEADER, Send
from indexer.messages.outcome import OutcomeKind
from indexer.messages.worker import Done
from tests.clock import Clock
from tests.each_row import each_row
from tests.loops.scripted import Scene, Steps, counting
from tests.toy.task import Task

LEASE = timedelta(seconds=120)


def test_outputs_are_sent_while_a_job_runs(scene: Scene) -> None:
    seen: list[list[str]] = []

    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        for number in (1, 2):
            yield Checkpoint(number, [Task(job.id, text=f"step {number}")])
            seen.append(scene.texts)
        return [Task(job.id, text="last")]

    outcome = scene.claim(steps).handle()
    assert seen == [["step 1"], ["step 1", "step 2"]]
    assert scene.texts == ["step 1", "step 2", "last"]
    assert scene.numbers == ["1", "2", "3"]
    assert outcome is not None
    assert (outcome.kind, outcome.status, outcome.label) == (OutcomeKind.DONE, "success", "a")
    assert scene.record().closed_at is not None


def test_a_run_goes_on_from_the_last_checkpoint(scene: Scene, clock: Clock) -> None:
    def dies(job: Job[Task, int]) -> JobSteps[int, Task]:
        steps = counting(job)
        yield next(steps)
        yield next(steps)
        raise SystemExit

    with pytest.raises(SystemExit):
        scene.claim(dies).handle()
    clock.sleep(120)
    assert scene.claim().handle() is not None
    assert scene.texts == ["step 1", "step 2", "step 3", "all"]


def test_outputs_that_were_stored_and_not_sent_are_sent_first(scene: Scene, clock: Clock) -> None:
    def broken(_: object) -> list[Send]:
        raise BrokerError("gone")

    run = scene.claim()
    run.publish = broken
    with pytest.raises(BrokerError):
        run.handle()
    clock.sleep(120)
    scene.claim().handle()
    assert scene.texts == ["step 1", "step 2", "step 3", "all"]


def test_an_output_sent_and_not_recorded_has_the_same_id_again(scene: Scene, clock: Clock) -> None:
    run = scene.claim()

    def cut(sends: object) -> list[Send]:
        scene.publish(sends)  # type: ignore[arg-type] # a list
        raise StorageError("the database is gone")

    run.publish = cut
    with pytest.raises(StorageError):
        run.handle()
    clock.sleep(120)
    scene.claim().handle()
    assert scene.numbers == ["1", "1", "2", "3", "4"]


def test_an_ended_job_whose_process_died_is_closed_with_its_outcome(
    scene: Scene, clock: Clock
) -> None:
    def broken(_: object) -> list[Send]:
        raise BrokerError("gone")

    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        return Done([Task(job.id, text="last")], "OK")
        yield

    run = scene.claim(steps)
    run.publish = broken
    with pytest.raises(BrokerError):
        run.handle()
    clock.sleep(120)
    outcome = scene.claim(steps).handle()
    assert outcome is not None
    assert (outcome.kind, outcome.status, scene.texts) == (OutcomeKind.DONE, "OK", ["last"])
    assert scene.store.claim() is None


def raising(error: Exception) -> Steps:
    """Steps that fail after the first checkpoint."""

    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        yield Checkpoint(1)
        raise error

    return steps


def returning(result: object) -> Steps:
    """Steps that return after the first checkpoint."""

    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        yield Checkpoint(1)
        return result  # type: ignore[return-value] # also wrong ones

    return steps


@pytest.mark.parametrize(
    ("steps", "kind", "status", "sends"),
    [
        (returning(None), "done", "success", 0),
        (returning(Task("x")), "done", "success", 1),
        (returning([Task("x"), Task("y")]), "done", "success", 2),
        (returning(Done((), "OK")), "done", "OK", 0),
        (raising(Discard("old")), "discard", "old", 0),
        (raising(Quarantine("odd", "why")), "quarantine", "odd", 1),
        (returning("not a task"), "quarantine", "bad-output", 1),
        (raising(JobStopped("by itself")), "done", "stopped", 0),
    ],
    ids=range(8),
)
def test_a_job_has_one_ending(
    scene: Scene, steps: Steps, kind: str, status: str, sends: int
) -> None:
    outcome = scene.claim(steps).handle()
    assert outcome is not None
    assert (outcome.kind, outcome.status, len(scene.sent)) == (kind, status, sends)
    assert (scene.record().kind, scene.record().status) == (kind, status)
    assert scene.store.claim() is None


def test_a_quarantined_job_is_a_message_in_the_quarantine_with_its_reason(scene: Scene) -> None:
    scene.claim(raising(Quarantine("odd", "a strange page"))).handle()
    [send] = scene.sent
    assert (send.exchange, send.key, send.body) == ("", "work-quar", Task("a").dump())
    assert send.headers["x-mc-what"] == "a strange page"
    assert scene.numbers == ["1"]


@each_row(
    ("error", "kind", "seconds", "retries"),
    [
        (ValueError("bug"), "retry", 60, 1),
        (Retry("http-429", delay=7200.0), "retry", 7200, 1),
        (Requeue("busy"), "requeue", 10, 0),
        # Nobody asked for it.
        (JobPaused("by itself"), "retry", 60, 1),
    ],
)
def test_a_job_that_failed_waits_with_its_progress(
    scene: Scene, clock: Clock, error: Exception, kind: str, seconds: int, retries: int
) -> None:
    database = scene.store.database
    with database.writing() as connection:
        connection.execute(jobs.update().values(retries=0, next_at=scene.store.clock()))
    outcome = scene.claim(raising(error)).handle()
    assert outcome is not None
    assert (outcome.kind, outcome.sends, scene.sent) == (kind, (), [])
    found = scene.record()
    assert found.next_at == scene.store.clock() + timedelta(seconds=seconds)
    assert (found.retries, found.kind, found.lease_owner) == (retries, None, None)
    [job] = load(database, "a")
    assert job.progress == b"1"


def test_a_job_without_retries_left_is_quarantined(scene: Scene, clock: Clock) -> None:
    kinds = []
    for _ in range(3):
        outcome = scene.claim(raising(ValueError("bug"))).handle()
        assert outcome is not None
        kinds.append((outcome.kind, outcome.exhausted))
        clock.sleep(60)
    assert kinds == [
        (OutcomeKind.RETRY, False),
        (OutcomeKind.RETRY, False),
        (OutcomeKind.QUARANTINE, True),
    ]


def test_retries_before_an_hour_of_progress_do_not_count(scene: Scene, clock: Clock) -> None:
    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        clock.sleep(3600)
        yield Checkpoint(1)
        raise ValueError

    for _ in range(5):
        outcome = scene.claim(steps).handle()
        assert outcome is not None
        assert outcome.kind is OutcomeKind.RETRY
        clock.sleep(60)


def test_a_job_that_kills_its_process_is_quarantined_in_the_end(scene: Scene, clock: Clock) -> None:
    for _ in range(21):
        scene.store.claim()
        clock.sleep(120)
    outcome = scene.claim().handle()
    assert outcome is not None
    assert (outcome.kind, outcome.status) == (OutcomeKind.QUARANTINE, "died")
    [send] = scene.sent
    assert send.headers["x-mc-what"] == "its process died 21 times, or hung"


def test_an_output_that_kills_its_process_waits_in_the_quarantined_job(
    scene: Scene, clock: Clock
) -> None:
    def unroutable(_: object) -> list[Send]:
        raise Unroutable("no queue")

    for _ in range(21):
        run = scene.claim()
        run.publish = unroutable
        with pytest.raises(Unroutable):
            run.handle()
        clock.sleep(120)
    outcome = scene.claim().handle()
    assert outcome is not None
    assert (outcome.kind, outcome.status) == (OutcomeKind.QUARANTINE, "died")
    assert [send.key for send in scene.sent] == ["work-quar"]
    assert retry(scene.store.database, "a", scene.store.clock()) == 1
    scene.sent.clear()
    assert scene.claim().handle() is not None
    assert scene.texts == ["step 1", "step 2", "step 3", "all"]


@pytest.mark.parametrize("wish", Want)
def test_a_job_that_fails_when_it_is_to_stop_is_due_at_once(scene: Scene, wish: Want) -> None:
    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        want(scene.store.database, wish, job.id, scene.store.clock())
        raise Retry("busy", delay=3600.0)
        yield

    assert scene.claim(steps).handle() is not None
    outcome = scene.claim().handle()
    assert outcome is not None
    assert outcome.status == {Want.STOP: "stopped", Want.CANCEL: "cancelled"}[wish]


def test_progress_that_cannot_be_read_is_quarantined_and_kept(scene: Scene) -> None:
    with scene.store.database.writing() as connection:
        connection.execute(update(jobs).values(progress=b'{"a": 1}'))
    outcome = scene.claim().handle()
    assert outcome is not None
    assert (outcome.kind, outcome.status) == (OutcomeKind.QUARANTINE, "bad-progress")
    [job] = load(scene.store.database, "a")
    assert job.progress == b'{"a": 1}'


def test_a_message_that_cannot_be_read_any_more_is_quarantined(scene: Scene) -> None:
    with scene.store.database.writing() as connection:
        connection.execute(update(jobs).values(body=b"junk"))
    outcome = scene.claim().handle()
    assert outcome is not None
    assert (outcome.status, outcome.label) == ("bad-message", "a")


@each_row(
    "checkpoint",
    [
        Checkpoint(object()),
        Checkpoint(1, ["not a task"]),
        Checkpoint(1, [Task("a", text="\ud800")]),
        None,
    ],
)
def test_a_checkpoint_that_cannot_be_stored_quarantines_its_job(
    scene: Scene, checkpoint: object
) -> None:
    closed = []

    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        try:
            yield checkpoint  # type: ignore[misc] # wrong on purpose
        finally:
            closed.append(True)
        return Done()

    with scene.store.database.writing() as connection:
        connection.execute(update(jobs).values(closed_at=None, ended_at=None, kind=None))
    outcome = scene.claim(steps).handle()
    assert outcome is not None
    assert (outcome.kind, outcome.status) == (OutcomeKind.QUARANTINE, "bad-output")
    assert closed == [True]


def test_outputs_that_no_queue_takes_are_handed_back(scene: Scene) -> None:
    back = []

    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        back.append((yield Checkpoint(1, [Task("a", text="heard"), Task("b", text="unheard")])))
        back.append((yield Checkpoint(2)))
        return Done()

    scene.returns = lambda send: b"unheard" in send.body
    scene.claim(steps).handle()
    assert [list(each) for each in back] == [[Task("b", text="unheard")], []]


def test_a_failure_of_the_database_ends_the_run_and_closes_its_generator(scene: Scene) -> None:
    closed = []

    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        try:
            yield Checkpoint(1, [Task(job.id)])
        finally:
            closed.append(True)
        return Done()

    def broken(*_: object) -> None:
        raise StorageError("the disk is full")

    run = scene.claim(steps)
    run.claim.checkpoint = broken  # type: ignore[assignment, method-assign]
    with pytest.raises(StorageError, match="the disk is full"):
        run.handle()
    assert closed == [True]


def test_progress_is_json_that_an_operator_can_read(scene: Scene) -> None:
    scene.claim(raising(Retry("x"))).handle()
    [job] = load(scene.store.database, "a")
    assert msgspec.json.decode(job.progress or b"") == 1
    assert job.record.state(scene.store.clock()) is JobState.WAITING


@pytest.mark.parametrize("ending", [None, Discard("no-text"), JobCancelled("by request")])
def test_outputs_and_the_outcome_tell_when_the_message_was_first_queued(
    scene: Scene, ending: Exception | None
) -> None:
    with scene.store.database.writing() as connection:
        connection.execute(update(jobs).values(headers=text_of({SINCE_HEADER: 1_000_500})))

    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        yield Checkpoint(1, [Task(job.id, text="step 1")])
        if ending:
            raise ending
        return [Task(job.id, text="last")]

    outcome = scene.claim(steps).handle()
    assert outcome is not None
    assert outcome.since == 1000.5
    assert {send.headers.get(SINCE_HEADER) for send in scene.sent} == {1_000_500}
