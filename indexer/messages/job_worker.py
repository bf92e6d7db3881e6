"""The interface of programs whose work takes hours: each message becomes a durable job.

    def run(self, job):
        for page in pages(job.payload, after=job.progress):
            yield Checkpoint(page.number, [page.item])
        return Done(status="all-read")

A generator that is paused at a `yield` has its progress and its outputs on disk.
"""

import threading
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, Protocol, TypeAlias, TypeVar

from indexer.messages.exchanges import CONNECTED, Exchange
from indexer.messages.message import Payload
from indexer.messages.topology import DELIVERY_LIMIT
from indexer.messages.worker import OUTCOMES, In, Out, Result

Progress = TypeVar("Progress")
"""What a job has to know to go on after a crash: a value that msgspec writes as JSON."""


class Want(StrEnum):
    """What a person or a message may want of a job."""

    STOP = "stop"
    CANCEL = "cancel"


class JobControl(Payload, Protocol):
    """A message about a job: what is wanted of it."""

    @property
    def job_id(self) -> str:
        """The id of the job."""

    @property
    def wants(self) -> Want:
        """What is wanted of it."""


@dataclass(frozen=True, slots=True)
class Checkpoint(Generic[Progress, Out]):
    """The progress of a job, and the outputs since the last checkpoint: stored together.

    The outputs are then sent, in this order. After a crash some may be sent twice: their header
    `x-mc-id` tells.
    """

    progress: Progress
    outputs: Sequence[Out] = ()


@dataclass(slots=True, eq=False)
class Job(Generic[In, Progress]):
    """A job as its worker sees it.

    `progress` is that of its last checkpoint, None before the first. `state` and `status` tell
    where it stands (`jobs.job.JobState`): `repeated` asks for them. `retries` counts its failed
    tries.

    `stopping` is set when the job is to stop, whatever the reason: code that waits should wait for
    it, and then yield; the generator learns the reason as a `JobInterrupted`. `lost` is set when
    another process has taken the job over: this one must leave its files and servers alone.
    """

    id: str
    payload: In
    progress: Progress | None = None
    state: str = ""
    status: str = ""
    retries: int = 0
    stopping: threading.Event = field(default_factory=threading.Event)
    lost: threading.Event = field(default_factory=threading.Event)


JobSteps: TypeAlias = Generator[Checkpoint[Progress, Out], Sequence[Out], Result[Out]]
"""The generator that runs a job: it yields checkpoints, and returns the result.

The value of a `yield` are those outputs of the checkpoint that no queue took, of kinds that are
handed back to their sender.
"""


class JobWorker(Generic[In, Out, Progress]):
    """Handles messages as durable jobs; `threads` of them at the same time, if it is thread-safe.

    `takes` is the class of its payloads, `keeps` that of the progress. If it `heeds` a class of
    control messages, each instance of the program hears those of its step. A process renews the
    leases of its jobs; when it has not done so for `lease` seconds, another process goes on from
    the last checkpoint. A job whose process has died more than `max_deaths` times is quarantined.
    The other attributes are those of a `Worker`.
    """

    name: str
    counted_as: str = OUTCOMES
    takes: type[In]
    exchange: Exchange = CONNECTED
    keeps: type[Progress]
    heeds: type[JobControl] | None = None
    threads: int = 1
    max_retries: int = 10
    retry_delay: float = 3600.0
    requeue_delay: float = 120.0
    max_deaths: int = DELIVERY_LIMIT
    lease: float = 120.0

    def identity(self, payload: In) -> str:
        """The id of the job that a message asks for, unique within this step.

        A second message with the id asks for no second job. Raises a Disposition to refuse it.
        """
        raise NotImplementedError

    def repeated(self, job: Job[In, Progress]) -> Sequence[Out]:  # noqa: ARG002 - the default
        """The answer to a second message for a job: say, its present status."""
        return ()

    def run(self, job: Job[In, Progress]) -> "JobSteps[Progress, Out]":
        """Run a job from its last checkpoint to its end.

        Raises a Disposition to end early; other errors retry the job, from its last checkpoint.
        See `JobInterrupted` for what may be raised at a `yield`. A request that may be handed back
        has to be an output of a checkpoint: one among the last outputs is only logged.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Release the worker's resources. Called once, after the last job."""
