"""Jobs whose steps a test writes down, and what they need around them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from indexer.jobs.claim import ID_HEADER
from indexer.jobs.control import load
from indexer.jobs.job import JobRecord, NewJob
from indexer.jobs.store import JobStore
from indexer.loops.job_run import JobRun
from indexer.messages.job_worker import Checkpoint, Job, JobSteps, JobWorker
from indexer.messages.message import Delivery, Send
from indexer.messages.outcome import RetryPolicy
from tests.toy.task import Command, Task

Steps = Callable[[Job[Task, int]], JobSteps[int, Task]]


class Scripted(JobWorker[Task, Task, int]):
    """Runs the given generator."""

    name = "work"
    takes = Task
    keeps = int
    heeds = Command

    def __init__(self, steps: Steps) -> None:
        self._steps = steps

    def identity(self, payload: Task) -> str:
        return payload.id

    def repeated(self, job: Job[Task, int]) -> Sequence[Task]:
        return [Task(job.id, text=f"{job.state} {job.status} {job.progress}")]

    def run(self, job: Job[Task, int]) -> JobSteps[int, Task]:
        return (yield from self._steps(job))


def counting(job: Job[Task, int]) -> JobSteps[int, Task]:
    """A checkpoint and an output for each step, and one output more at the end."""
    for number in range((job.progress or 0) + 1, job.payload.steps + 1):
        yield Checkpoint(number, [Task(job.id, text=f"step {number}")])
    return Task(job.id, text="all")


@dataclass
class Scene:
    """A job of three steps in a store, and a list of what was published."""

    store: JobStore
    sent: list[Send] = field(default_factory=list)
    returns: Callable[[Send], bool] = lambda _: False

    def publish(self, sends: Sequence[Send]) -> list[Send]:
        self.sent += sends
        return [send for send in sends if self.returns(send)]

    @property
    def texts(self) -> list[str]:
        """The texts of the published tasks."""
        return [Task.load(send.body).text for send in self.sent]

    @property
    def numbers(self) -> list[str]:
        """The numbers in the ids of the published messages."""
        ids = [str(send.headers[ID_HEADER]) for send in self.sent]
        before = f"work/a/{self.record().created_at:%Y%m%dT%H%M%S}/"
        assert all(id.startswith(before) for id in ids)
        return [id.removeprefix(before) for id in ids]

    def record(self) -> JobRecord:
        """The row of the job."""
        [job] = load(self.store.database, "a")
        return job.record

    def add(self, task: Task | None = None) -> None:
        """Store a job."""
        task = task or Task("a")
        assert self.store.add(NewJob(task.id, task.label, Delivery(0, task.dump()))) is None

    def claim(self, steps: Steps = counting) -> JobRun[Task, Task, int]:
        """Claim the job, for a run with these steps."""
        claim = self.store.claim()
        assert claim is not None
        policy = RetryPolicy("work", max_retries=2, retry_delay=60.0, requeue_delay=10.0)
        return JobRun(Scripted(steps), policy, claim, self.publish)
