"""The loop of job workers, on each broker and each database."""

import threading
import time
from datetime import timedelta

import pytest

from indexer.jobs.control import load, want
from indexer.jobs.job_state import JobState
from indexer.loops.inbox import POLL_SECONDS
from indexer.loops.jobs import LOOK_SECONDS
from indexer.messages.job_worker import Checkpoint, Job, JobSteps, Want
from indexer.messages.message import Send
from tests.loops.job_place import JobPlace, waits
from tests.patience import PATIENCE
from tests.toy.task import Command, Task


def test_a_message_becomes_a_job_that_ends_once(place: JobPlace) -> None:
    place.queue(Task("a"), Task("b", steps=1))
    assert place.run(threads=2) == ["success", "success"]
    assert sorted(place.sent()) == ["all", "all", "step 1", "step 1", "step 2", "step 3"]
    assert place.depth("work-in") == 0
    assert place.run() == []


def test_the_message_is_acknowledged_while_its_job_runs_for_two_hours(place: JobPlace) -> None:
    seen: list[object] = []

    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        runner = running[0]
        for _ in range(8):
            place.clock.sleep(15 * 60)
            runner._renew()
        # RabbitMQ would have closed the channel after 30 minutes, and delivered it again.
        seen.append((place.depth("work-in"), runner.store.claim(), runner.taken))
        yield Checkpoint(1)
        return None

    place.queue(Task("a"))
    running = [place.runner(steps)]
    running[0].store.lease = timedelta(minutes=16)
    running[0].run(threading.Event())
    assert seen == [(0, None, 1)]
    assert [outcome.status for outcome in place.outcomes] == ["success"]


def test_a_second_message_is_answered_with_the_status_of_its_job(place: JobPlace) -> None:
    place.queue(Task("a"))
    place.run()
    place.sent()
    place.queue(Task("a"), Task("a", text="another"))
    assert place.run() == ["repeated", "repeated"]
    assert place.sent() == ["done success 3", "done success 3"]


@pytest.mark.parametrize("body", [b"junk", b'{"id": ""}', b'{"id": "\\u0000"}'])
def test_a_message_that_names_no_job_is_quarantined(place: JobPlace, body: bytes) -> None:
    place.broker.publish([Send("", "work-in", body)])
    assert place.run() in (["bad-message"], ["bad-job"])
    assert place.depth("work-quar") == 1


@pytest.mark.parametrize(
    ("by", "wish", "status", "text"),
    [
        ("function", Want.STOP, "stopped", "JobStopped"),
        ("message", Want.CANCEL, "cancelled", "JobCancelled"),
    ],
)
def test_a_running_job_is_interrupted(
    place: JobPlace, by: str, wish: Want, status: str, text: str
) -> None:
    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        if by == "message":
            place.queue(Command("a", text=wish), to="work-commands")
        else:
            want(place.database, wish, "a", place.now())
        yield from waits(job)
        return None

    place.queue(Task("a"))
    assert place.run(steps) == [status]
    assert place.sent() == [text]
    assert place.depth("work-commands") == 0


def test_a_job_that_waits_for_a_thread_is_cancelled_while_another_runs(place: JobPlace) -> None:
    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        other = {"a": "b", "b": "a"}[job.id]
        for _ in range(int(PATIENCE * 10)):
            # The message of the other job may arrive after this one has started.
            want(place.database, Want.CANCEL, other, place.now())
            if any(each.record.has_ended for each in load(place.database, other)):
                return Task(job.id, text="the other has ended")
            time.sleep(0.1)
        yield Checkpoint(1)
        return None

    place.queue(Task("a"), Task("b"))
    assert place.run(steps, threads=1) == ["cancelled", "success"]
    assert place.sent() == ["the other has ended"]


def test_a_wish_is_noticed_at_the_next_look_which_comes_within_a_second(place: JobPlace) -> None:
    looks: list[bool] = []
    asked: list[int] = []

    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        want(place.database, Want.STOP, "a", place.now())
        asked.append(len(looks))
        yield from waits(job)
        return None

    runner = place.runner(steps)
    look = runner._look

    def recorded() -> None:
        # A job may have ended before this thread goes on.
        running = [*runner._running.values()]
        look()
        looks.append(any(run.job and run.job.stopping.is_set() for run in running))

    runner._look = recorded  # type: ignore[method-assign]
    place.queue(Task("a"))
    runner.run(threading.Event())
    # A look may have been under way; the next one sees it.
    assert any(looks[asked[0] : asked[0] + 2])
    assert LOOK_SECONDS + POLL_SECONDS < 1


def test_a_program_that_stops_gives_its_jobs_back_with_their_progress(place: JobPlace) -> None:
    stop = threading.Event()

    def steps(job: Job[Task, int]) -> JobSteps[int, Task]:
        yield Checkpoint(2, [Task(job.id, text="some")])
        stop.set()
        yield from waits(job)
        return None

    place.queue(Task("a"))
    runner = place.runner(steps)
    runner.run(stop)
    assert place.outcomes == []
    assert place.state("a") is JobState.WAITING
    assert place.sent() == ["some", "JobPaused"]
    assert place.run() == ["success"]
    assert place.sent() == ["step 3", "all"]
