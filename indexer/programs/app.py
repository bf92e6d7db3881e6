"""How programs that pass messages start and end.

    parse → log → open broker → wait for its deployment, if one is given → make worker
    → run until SIGTERM → close → exit status 0, or 1 on an error

SIGTERM and SIGINT end a program cleanly: it finishes and settles the messages that it processes,
flushes its batch, and leaves the rest in the queue. A second signal ends it at once; then its
unsettled messages go back to the queue.
"""

from collections.abc import Callable, Sequence
from datetime import timedelta

from indexer.errors import ConfigurationError
from indexer.loops.batches import BatchRunner
from indexer.loops.producing import ProducerRunner
from indexer.loops.runner import Runner
from indexer.loops.sampling import Sampler
from indexer.messages.job_worker import JobWorker, Progress
from indexer.messages.worker import BatchWorker, In, Out, Producer, Worker
from indexer.programs.room import room_for
from indexer.programs.settings import ProducerOptions, ProgramOptions, WorkerOptions
from indexer.programs.start import (
    JOB_PREFETCH,
    BatchLoopOptions,
    JobLoopOptions,
    Loop,
    O,
    ProducerLoopOptions,
    Start,
    WorkerLoopOptions,
    start_and_run,
)

__all__ = [
    "ProducerOptions",
    "ProgramOptions",
    "WorkerOptions",
    "run_batch_worker",
    "run_job_worker",
    "run_producer",
    "run_worker",
]

MAX_BATCH_SECONDS = 1500
"""RabbitMQ takes back messages that are not settled in 1800 s (its consumer timeout); 300 s of them
are for the end of a batch."""


def run_worker(
    make: Callable[[O], Worker[In, Out]], options: type[O], arguments: Sequence[str] | None = None
) -> int:
    """Run a worker program. Returns the exit status: 0, 1 on an error, 2 for bad options."""

    def loop(start: "Start[WorkerLoopOptions, Worker[In, Out]]") -> Loop:
        worker, given = start.program, start.options
        worker.threads = given.threads or worker.threads
        # Two for each thread: while one is processed, the next has arrived.
        worker.prefetch = given.prefetch or max(worker.prefetch, 2 * worker.threads)
        return Runner(worker, start.inbox(given, worker, worker.prefetch))

    return start_and_run(make, options, WorkerLoopOptions, loop, arguments)


def run_batch_worker(
    make: Callable[[O], BatchWorker[In, Out]],
    options: type[O],
    arguments: Sequence[str] | None = None,
) -> int:
    """Run a batch worker program. Returns the exit status."""

    def loop(start: "Start[BatchLoopOptions, BatchWorker[In, Out]]") -> Loop:
        worker, given = start.program, start.options
        worker.size = given.batch_size or worker.size
        worker.seconds = worker.seconds if given.batch_seconds is None else given.batch_seconds
        if worker.seconds > MAX_BATCH_SECONDS:
            raise ConfigurationError(
                f"--batch-seconds: at most {MAX_BATCH_SECONDS}: a broker takes messages back "
                "that are not settled in 30 minutes"
            )
        return BatchRunner(worker, start.inbox(given, worker, worker.size))

    return start_and_run(make, options, BatchLoopOptions, loop, arguments)


def run_job_worker(
    make: Callable[[O], JobWorker[In, Out, Progress]],
    options: type[O],
    arguments: Sequence[str] | None = None,
) -> int:
    """Run a job worker program. Returns the exit status."""
    # The libraries of databases would double the time in which all other programs start.
    from indexer.jobs.store import JobStore  # noqa: PLC0415 - not for all
    from indexer.loops.jobs import JobRunner  # noqa: PLC0415 - not for all

    def loop(start: "Start[JobLoopOptions, JobWorker[In, Out, Progress]]") -> Loop:
        worker, given = start.program, start.options
        worker.threads = given.threads or worker.threads
        lease = timedelta(seconds=given.job_lease_seconds or worker.lease)
        database = start.stack.enter_context(given.opened_jobs())
        inbox = start.inbox(given, worker, given.prefetch or JOB_PREFETCH)
        return JobRunner(
            worker,
            inbox,
            JobStore(database, start.name, lease),
            start.commands(given, inbox) if worker.heeds else None,
            retention=timedelta(days=given.job_retention_days),
        )

    return start_and_run(make, options, JobLoopOptions, loop, arguments)


def run_producer(
    make: Callable[[O], Producer[Out]], options: type[O], arguments: Sequence[str] | None = None
) -> int:
    """Run a producer program. Returns the exit status."""

    def loop(start: "Start[ProducerLoopOptions, Producer[Out]]") -> Loop:
        given = start.options
        if not given.dry_run:
            start.check_output()
        return ProducerRunner(
            start.name,
            start.program,
            start.broker,
            start.observers,
            batch_size=given.shuffle_batch_size,
            dry_run=given.dry_run,
            loop=given.loop,
            pause=given.sleep,
            room=room_for(given, start.broker, start.name),
            sampler=Sampler(given.max_messages, given.random_sample, given.sample_size),
        )

    return start_and_run(make, options, ProducerLoopOptions, loop, arguments)
