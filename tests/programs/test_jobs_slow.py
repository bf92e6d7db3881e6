"""Programs that run jobs, killed and stopped: a job ends once, and loses nothing."""

import os
import random
import resource
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from multiprocessing.context import ForkProcess
from pathlib import Path

import pytest
from sqlalchemy import make_url

from indexer.broker import open_broker
from indexer.database import utc_now
from indexer.jobs.claim import ID_HEADER
from indexer.jobs.control import load
from indexer.jobs.job import JobRecord
from indexer.jobs.job_state import JobState
from indexer.jobs.store import open_jobs
from indexer.messages.exchanges import Exchange, Unheard
from indexer.messages.message import Delivery, Send
from indexer.messages.pipelines import Pipeline, Step
from tests.killed import fork
from tests.patience import PATIENCE
from tests.relay import Relay
from tests.toy import steps
from tests.toy.task import Task

TOPOLOGY = Pipeline(
    "toy",
    [
        Step("source", to=["steps"]),
        Step("steps", to=["sink"], instances=["command.*"]),
        Step("sink"),
    ],
    exchange=Exchange("toy", {"command.*": Unheard.RETURNED}),
).compile()

STEPS = 150
KILLS, EARLY_KILLS = 25, 5


class Place:
    """The broker and the database of the program, and its processes."""

    def __init__(self, broker_url: str, database_url: str, data: Path) -> None:
        self.broker_url = broker_url
        self.database_url = database_url
        self._arguments = [
            f"--data={data}",
            f"--broker-url={broker_url}",
            f"--jobs-database-url={database_url}",
            "--instance=one",
            f"--died={data / 'died'}",
        ]
        with closing(open_broker(broker_url)) as broker:
            broker.declare(TOPOLOGY)

    def start(self, *arguments: str) -> ForkProcess:
        """Start the program."""
        given = [*self._arguments, *arguments]
        process = fork.Process(target=lambda: os._exit(steps.main(given)))
        process.start()
        return process

    def queue(self, task: Task) -> None:
        """Queue a message for it."""
        with closing(open_broker(self.broker_url)) as broker:
            broker.publish([Send("", "steps-in", task.dump())])

    def sent(self) -> list[Delivery]:
        """The messages for the next step, in their order."""
        with closing(open_broker(self.broker_url)) as broker:
            depth = broker.depth("sink-in")
            assert depth is not None
            consumer = broker.consume("sink-in", 10_000)
            taken = [consumer.receive(PATIENCE) for _ in range(depth.ready)]
        return [delivery for delivery in taken if delivery]

    def job(self) -> JobRecord | None:
        """The row of the job, if there is one."""
        with closing(open_jobs(self.database_url)) as database:
            found = load(database, "a")
        return found[0].record if found else None

    def wait(self, condition: Callable[[JobRecord], bool]) -> JobRecord:
        """The job when it meets a condition."""
        deadline = time.monotonic() + PATIENCE
        while (job := self.job()) is None or not condition(job):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        return job


def ids_of(job: JobRecord | None, count: int) -> list[str]:
    """The ids of the first outputs of the job `a`."""
    assert job is not None
    return [f"steps/a/{job.created_at:%Y%m%dT%H%M%S}/{number + 1}" for number in range(count)]


@pytest.fixture
def place(broker_url: str, database_url: str, tmp_path: Path) -> Place:
    """A place of each kind."""
    return Place(broker_url, database_url, tmp_path)


def ended(process: ForkProcess) -> int | None:
    """The exit status of a process that has to end."""
    process.join(PATIENCE)
    status: int | None = process.exitcode
    return status


def test_a_job_killed_at_twenty_random_moments_ends_once(place: Place) -> None:
    place.queue(Task("a", STEPS))
    arguments = ("--until-empty", f"--most-deaths={KILLS}")
    deaths = 0
    for number in range(KILLS):
        process = place.start(*arguments, "--step-seconds=0.005")
        # The first ones may die before the message is stored, or acknowledged; the others work,
        # unless the job has ended: a kill may come late.
        if number >= EARLY_KILLS:
            place.wait(lambda job, pid=process.pid: job.pid == pid or job.has_ended)  # type: ignore[misc]
        time.sleep(random.uniform(0.0, 0.1))  # the moment of the kill, not a wait for something
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
        if number >= EARLY_KILLS:
            deaths += not place.wait(lambda _: True).has_ended
    assert ended(place.start(*arguments)) == 0
    job = place.job()
    assert job is not None
    assert job.deaths >= deaths
    assert (job.kind, job.status, job.outputs) == ("done", "success", STEPS + 1)
    bodies: dict[object, bytes] = {}
    for delivery in place.sent():
        id = delivery.headers.get(ID_HEADER)
        if id is None:
            # The answer to the message that came again: a kill after its job was stored.
            assert Task.load(delivery.body).text in {*JobState}
            continue
        # A repeat has the id of the first, which came in its place.
        assert bodies.setdefault(id, delivery.body) == delivery.body
    assert [*bodies] == ids_of(job, STEPS + 1)
    texts = [Task.load(body).text for body in bodies.values()]
    assert texts == [*(f"step {number}" for number in range(1, STEPS + 1)), "all"]


def test_a_job_goes_on_at_once_after_sigterm(place: Place) -> None:
    place.queue(Task("a", 50))
    process = place.start("--step-seconds=0.5")
    place.wait(lambda job: job.outputs > 0)
    os.kill(process.pid or 0, signal.SIGTERM)
    assert ended(process) == 0
    job = place.job()
    assert job is not None
    assert (job.lease_owner, job.deaths, job.kind) == (None, 0, None)
    assert ended(place.start("--until-empty")) == 0
    counted = Counter(delivery.headers[ID_HEADER] for delivery in place.sent())
    assert set(counted.values()) == {1}
    assert len(counted) == 51


def test_a_job_that_kills_its_process_is_quarantined_and_others_end(place: Place) -> None:
    place.queue(Task("a", text="die"))
    place.queue(Task("b"))
    arguments = ("--until-empty", "--most-deaths=3", "--threads=2")
    assert [ended(place.start(*arguments)) for _ in range(5)] == [70, 70, 70, 70, 0]
    job = place.job()
    assert job is not None
    assert (job.kind, job.status) == ("quarantine", "died")
    assert job.why == "its process died 4 times, or hung"
    with closing(open_broker(place.broker_url)) as broker:
        [message] = broker.peek("steps-quar", 10)
        assert message.headers["x-mc-what"] == job.why
        assert Task.load(message.body) == Task("a", text="die")


def test_a_job_that_waits_is_interrupted_by_a_message_to_all_instances(place: Place) -> None:
    place.queue(Task("a", text="hang"))
    process = place.start()
    place.wait(lambda job: job.lease_owner is not None)
    with closing(open_broker(place.broker_url)) as broker:
        command = Send("toy", "command.stop", Task("a", text="stop").dump())
        assert broker.publish([command]) == []
    job = place.wait(lambda job: job.closed_at is not None)
    assert job.status == "stopped"
    os.kill(process.pid or 0, signal.SIGTERM)
    assert ended(process) == 0
    assert utc_now() > job.created_at


def test_a_lost_connection_to_the_database_ends_the_program_and_no_output_is_lost(
    postgresql_url: str, tmp_path: Path
) -> None:
    url = make_url(postgresql_url)
    with Relay(url.host or "127.0.0.1", url.port or 5432) as relay:
        through = url.set(host="127.0.0.1", port=relay.port)
        given = through.render_as_string(hide_password=False)
        place = Place(f"sqlite:///{tmp_path}/queues.sqlite3", given, tmp_path)
        place.queue(Task("a", 100))
        process = place.start("--step-seconds=0.3")
        # Looked at directly: the relay is not to be in the way.
        direct = Place(place.broker_url, postgresql_url, tmp_path)
        direct.wait(lambda job: job.outputs > 3)
        relay.away = True
        relay.cut()
        assert ended(process) == 1
        relay.away = False
        # Its connection is gone, but the server may not have noticed.
        assert ended(place.start("--until-empty")) == 0
    ids = [*dict.fromkeys(delivery.headers[ID_HEADER] for delivery in place.sent())]
    assert ids == ids_of(direct.job(), 101)


def test_a_full_disk_ends_the_program_with_a_clear_error_and_the_job_goes_on(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    place = Place(
        f"sqlite:///{tmp_path}/queues.sqlite3", f"sqlite:///{tmp_path}/jobs.sqlite3", tmp_path
    )
    place.queue(Task("a", 200))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
    try:
        assert ended(place.start("--until-empty")) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    said = capfd.readouterr().err
    assert "disk" in said
    assert "Traceback" not in said
    assert ended(place.start("--until-empty")) == 0
    ids = [*dict.fromkeys(delivery.headers[ID_HEADER] for delivery in place.sent())]
    assert ids == ids_of(place.job(), 201)
