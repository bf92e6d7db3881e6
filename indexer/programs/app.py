"""How programs that pass messages start and end.

    parse → log → open broker → wait for its deployment, if one is given → make worker
    → run until SIGTERM → close → exit status 0, or 1 on an error

SIGTERM and SIGINT end a program cleanly: it finishes and settles the messages that it processes,
flushes its batch, and leaves the rest in the queue. A second signal ends it at once; then its
unsettled messages go back to the queue.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, runtime_checkable

from indexer.broker import Broker
from indexer.broker.moving import LimitedConsumer
from indexer.errors import ConfigurationError
from indexer.loops.batches import BatchRunner
from indexer.loops.breadcrumbs import Breadcrumbs
from indexer.loops.inbox import Inbox
from indexer.loops.observers import Held, RunReport, log_outcomes
from indexer.loops.producing import ProducerRunner, Sampler
from indexer.loops.runner import Runner
from indexer.loops.watermarks import Room, WaterMarks, disk_free, queued
from indexer.messages.outcome import Observer, RetryPolicy
from indexer.messages.topology import input_queue, quarantine_queue
from indexer.messages.worker import BatchWorker, P, Producer, Worker
from indexer.metrics import counter, gauge
from indexer.metrics.outcomes import count_outcomes
from indexer.programs import deployment
from indexer.programs.program import run_loop
from indexer.programs.settings import (
    AppOptions,
    BatchOptions,
    BrokerOptions,
    ProducerOptions,
    ProgramOptions,
    WorkerOptions,
)
from indexer.system.options import Options
from indexer.system.signals import stop_on_signals

__all__ = [
    "ProducerOptions",
    "ProgramOptions",
    "WorkerOptions",
    "run_batch_worker",
    "run_producer",
    "run_worker",
]

CHECK_OUTPUT = counter("check-output", "checks for room for messages, by result", "status")
DISK_FREE = gauge("data-disk-free", "free part of the data's disk, in percent")

MAX_BATCH_SECONDS = 1500
"""RabbitMQ takes back messages that are not settled in 1800 s (its consumer timeout); 300 s of them
are for the end of a batch."""


class Loop(Held, Protocol):
    """The interface of the three loops."""

    def run(self, stop: threading.Event) -> None:
        """Handle messages until `stop`, or until none is left."""


class Program(Protocol):
    """The interface that the three kinds of programs share."""

    name: str

    def close(self) -> None:
        """Release the program's resources."""


class _WorkerLoop(ProgramOptions, BrokerOptions, AppOptions, WorkerOptions):
    """Options of the loop of a worker."""


class _BatchLoop(ProgramOptions, BrokerOptions, AppOptions, WorkerOptions, BatchOptions):
    """Options of the loop of a batch worker."""


class _ProducerLoop(ProgramOptions, BrokerOptions, AppOptions, ProducerOptions):
    """Options of the loop of a producer."""


@runtime_checkable
class OpensBroker(Protocol):
    """Options of a program that may use another broker than the one of `--broker-url`."""

    def other_broker(self, name: str, *, reads: bool) -> AbstractContextManager[Broker] | None:
        """Open the broker of the program `name`; None: that of `--broker-url`.

        `reads` says whether the program takes messages from a queue.
        """


T = TypeVar("T", bound=Program)
O = TypeVar("O", bound=Options)  # noqa: E741 - O for options
L = TypeVar("L", bound=_WorkerLoop | _BatchLoop | _ProducerLoop)


def run_worker(
    make: Callable[[O], Worker[P]], options: type[O], arguments: Sequence[str] | None = None
) -> int:
    """Run a worker program. Returns the exit status: 0, 1 on an error, 2 for bad options."""

    def loop(start: "_Start[_WorkerLoop, Worker[P]]") -> Loop:
        worker, given = start.program, start.options
        worker.threads = given.threads or worker.threads
        # Two for each thread: while one is processed, the next has arrived.
        worker.prefetch = given.prefetch or max(worker.prefetch, 2 * worker.threads)
        return Runner(worker, start.inbox(given, worker, worker.prefetch))

    return _run(make, options, _WorkerLoop, loop, arguments)


def run_batch_worker(
    make: Callable[[O], BatchWorker[P]], options: type[O], arguments: Sequence[str] | None = None
) -> int:
    """Run a batch worker program. Returns the exit status."""

    def loop(start: "_Start[_BatchLoop, BatchWorker[P]]") -> Loop:
        worker, given = start.program, start.options
        worker.size = given.batch_size or worker.size
        worker.seconds = worker.seconds if given.batch_seconds is None else given.batch_seconds
        if worker.seconds > MAX_BATCH_SECONDS:
            raise ConfigurationError(
                f"--batch-seconds: at most {MAX_BATCH_SECONDS}: a broker takes messages back "
                "that are not settled in 30 minutes"
            )
        return BatchRunner(worker, start.inbox(given, worker, worker.size))

    return _run(make, options, _BatchLoop, loop, arguments)


def run_producer(
    make: Callable[[O], Producer[P]], options: type[O], arguments: Sequence[str] | None = None
) -> int:
    """Run a producer program. Returns the exit status."""

    def loop(start: "_Start[_ProducerLoop, Producer[P]]") -> Loop:
        given = start.options
        return ProducerRunner(
            start.name,
            start.program,
            start.broker,
            start.observers,
            batch_size=given.shuffle_batch_size,
            dry_run=given.dry_run,
            loop=given.loop,
            pause=given.sleep,
            room=_room(given, start.broker),
            sampler=Sampler(given.max_stories, given.random_sample, given.sample_size),
        )

    return _run(make, options, _ProducerLoop, loop, arguments)


@dataclass
class _Start(Generic[L, T]):
    """The parts that a loop is made of. The stack closes them, the last one first."""

    options: L
    program: T
    name: str
    broker: Broker
    observers: list[Observer]
    stack: ExitStack

    def inbox(
        self, options: WorkerOptions, worker: Worker[P] | BatchWorker[P], prefetch: int
    ) -> Inbox:
        """The program's input queue, or with `--from-quarantine` its quarantine."""
        queue = (quarantine_queue if options.from_quarantine else input_queue)(self.name)
        depth = self.broker.depth(queue)
        consumer = self.broker.consume(queue, prefetch)
        self.stack.callback(consumer.close)
        if options.from_quarantine and depth is not None:
            # Without the limit, messages that are quarantined again would be taken again, for ever.
            consumer = LimitedConsumer(consumer, depth.ready)
        return Inbox(
            consumer,
            self._policy(options, worker),
            self.observers,
            until_empty=options.until_empty or options.from_quarantine,
        )

    def _policy(self, options: WorkerOptions, worker: Worker[P] | BatchWorker[P]) -> RetryPolicy:
        """The operator's numbers, or the worker's where none is given."""
        retries, minutes = options.max_retries, options.retry_delay_minutes
        seconds = options.requeue_delay_seconds
        return RetryPolicy(
            self.name,
            worker.max_retries if retries is None else retries,
            worker.retry_delay if minutes is None else minutes * 60,
            worker.requeue_delay if seconds is None else seconds,
        )


def _run(
    make: Callable[[O], T],
    options: type[O],
    loop_options: type[L],
    loop: Callable[[_Start[L, T]], Loop],
    arguments: Sequence[str] | None,
) -> int:
    def serve(own: O, given: L, name: str) -> None:
        with ExitStack() as stack:
            _serve(make, own, given, name, loop, stack)

    comfort = "; nothing unsettled is lost"
    return run_loop(make, options, loop_options, serve, arguments, comfort=comfort)


def _serve(
    make: Callable[[O], T],
    own: O,
    options: L,
    name: str,
    loop: Callable[[_Start[L, T]], Loop],
    stack: ExitStack,
) -> None:
    stop = stop_on_signals()
    report = RunReport(options.report_fd, stop.set) if options.report_fd >= 0 else None
    if report is not None:
        # First in, so last out: the usage of children counts only after they were waited for.
        stack.callback(report.usage)
    other = None
    if isinstance(own, OpensBroker):
        other = own.other_broker(name, reads=isinstance(options, WorkerOptions))
    broker = stack.enter_context(other or options.opened())
    if options.deployment_id:
        deployment.wait(broker, options.deployment_id, stop)
        if stop.is_set():
            return
    program = make(own)
    stack.callback(program.close)
    observers: list[Observer] = [log_outcomes(name), count_outcomes]
    # Dry runs send no breadcrumbs: pipeview would count what has not happened.
    is_tried = any(getattr(each, "dry_run", False) for each in (own, options))
    if options.breadcrumb_exchange and not is_tried:
        crumbs = Breadcrumbs(name, options.breadcrumb_exchange, broker.publish)
        stack.callback(crumbs.close)
        observers.append(crumbs)
    if report is not None:
        observers.append(report.outcome)
    # Last, so that its consumer is closed first: nothing may arrive while the rest is closed.
    running = loop(_Start(options, program, name, broker, observers, stack))
    if report is not None:
        stack.enter_context(report.following(running, program))
    running.run(stop)


def _room(options: _ProducerLoop, broker: Broker) -> Callable[[], bool]:
    marks = WaterMarks(
        options.max_queue_len,
        options.min_queue_len,
        lambda: queued(broker, options.watch_queues),
        min_disk_free=options.min_disk_free,
        disk_free=lambda: _disk_free(options),
    )
    seen = Room.OK

    def room() -> bool:
        nonlocal seen
        found = marks.look()
        CHECK_OUTPUT.add(status=found)
        # Only changes are logged: the check is repeated once a minute.
        if found is not seen:
            log = logging.getLogger(__name__)
            log.warning("room for messages: %s (%s)", found, ", ".join(options.watch_queues))
        seen = found
        return found is Room.OK

    return room


def _disk_free(options: _ProducerLoop) -> float:
    free = disk_free(options.data)
    DISK_FREE.set(free)
    return free
