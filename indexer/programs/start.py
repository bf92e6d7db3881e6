"""The start of a program that passes messages, whatever its loop, and its end.

options → report → broker → its deployment → program → observers → loop → run → close
"""

import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar, runtime_checkable

from indexer.broker import Broker
from indexer.broker.moving import LimitedConsumer
from indexer.errors import ConfigurationError
from indexer.loops.breadcrumbs import Breadcrumbs
from indexer.loops.inbox import Inbox
from indexer.loops.log_reports import telling
from indexer.loops.observers import InHand, RunReport, log_outcomes
from indexer.messages.exchanges import Exchange
from indexer.messages.outcome import Observer, RetryPolicy
from indexer.messages.topology import (
    Topology,
    input_queue,
    instance_topology,
    instances_exchange,
    quarantine_queue,
)
from indexer.metrics.outcomes import count_outcomes
from indexer.programs import deployment
from indexer.programs.destinations import advice, check_output, missing_tiers
from indexer.programs.jobs import JobOptions, JobsDatabaseOptions
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
from indexer.system.readiness import working
from indexer.system.signals import stop_on_signals

JOB_PREFETCH = 10
"""Messages that a job worker receives ahead: each is acknowledged as soon as it is stored."""


class Loop(InHand, Protocol):
    """The interface of the four loops."""

    def run(self, stop: threading.Event) -> None:
        """Handle messages until `stop`, or until none is left."""


class Program(Protocol):
    """The interface that the four kinds of programs share."""

    name: str
    counted_as: str

    def close(self) -> None:
        """Release the program's resources."""


@runtime_checkable
class OpensBroker(Protocol):
    """Options of a program that may use another broker than the one of `--broker-url`."""

    def other_broker(self, name: str, *, reads: bool) -> AbstractContextManager[Broker] | None:
        """Open the broker of the program `name`; None: that of `--broker-url`.

        `reads` says whether the program takes messages from a queue.
        """


class Retrying(Protocol):
    """What decides where the messages of a worker go, whatever its kind."""

    exchange: Exchange
    max_retries: int
    retry_delay: float
    requeue_delay: float


class WorkerLoopOptions(ProgramOptions, BrokerOptions, AppOptions, WorkerOptions):
    """Options of the loop of a worker."""


class BatchLoopOptions(ProgramOptions, BrokerOptions, AppOptions, WorkerOptions, BatchOptions):
    """Options of the loop of a batch worker."""


class JobLoopOptions(
    ProgramOptions, BrokerOptions, AppOptions, WorkerOptions, JobsDatabaseOptions, JobOptions
):
    """Options of the loop of a job worker."""


class ProducerLoopOptions(ProgramOptions, BrokerOptions, AppOptions, ProducerOptions):
    """Options of the loop of a producer."""


T = TypeVar("T", bound=Program)
O = TypeVar("O", bound=Options)  # noqa: E741 - O for options
L = TypeVar("L", bound=WorkerLoopOptions | BatchLoopOptions | JobLoopOptions | ProducerLoopOptions)


@dataclass
class Start(Generic[L, T]):
    """The parts that a loop is made of. The stack closes them, the last one first."""

    options: L
    program: T
    name: str
    broker: Broker
    observers: list[Observer]
    stack: ExitStack

    def inbox(self, options: WorkerOptions, worker: Retrying, prefetch: int) -> Inbox:
        """The program's input queue, or with `--from-quarantine` its quarantine."""
        queue = options.input_queue or input_queue(self.name)
        if options.from_quarantine:
            queue = quarantine_queue(self.name)
        self.check_output()
        missing = missing_tiers(self.broker, self.name, advice(self.name, self.options))
        depth = self.broker.depth(queue)
        consumer = self.broker.consume(queue, prefetch)
        self.stack.callback(consumer.close)
        if options.from_quarantine and depth is not None:
            # Without the limit, messages that are quarantined again would be taken again, for ever.
            consumer = LimitedConsumer(consumer, depth.ready)
        return Inbox(
            consumer,
            self._policy(options, worker, missing),
            self.observers,
            self.broker.publish,
            until_empty=options.until_empty or options.from_quarantine,
        )

    def check_output(self) -> None:
        """Raise BrokerError, which says what to type, if nothing takes the program's output."""
        check_output(self.broker, self.name, advice(self.name, self.options))

    def commands(self, options: JobLoopOptions, inbox: Inbox) -> Inbox:
        """The queue of this instance, with the control messages that each instance hears."""
        instance = options.instance or socket.gethostname()
        source = Topology(instances=[instances_exchange(self.name)])
        if missing := self.broker.declared(source):
            raise ConfigurationError(f"{missing[0]}: its step in the flavor must have `instances`")
        own = instance_topology(self.name, instance, options.input_queue)
        self.broker.declare(own)
        consumer = self.broker.consume(own.queues[0].name, JOB_PREFETCH)
        self.stack.callback(consumer.close)
        return replace(inbox, consumer=consumer)

    def _policy(
        self, options: WorkerOptions, worker: Retrying, missing: Sequence[str]
    ) -> RetryPolicy:
        """The operator's numbers, or the worker's where none is given."""
        retries, minutes = options.max_retries, options.retry_delay_minutes
        seconds = options.requeue_delay_seconds
        return RetryPolicy(
            self.name,
            worker.max_retries if retries is None else retries,
            worker.retry_delay if minutes is None else minutes * 60,
            worker.requeue_delay if seconds is None else seconds,
            worker.exchange,
            missing,
        )


def start_and_run(
    make: Callable[[O], T],
    options: type[O],
    loop_options: type[L],
    loop: Callable[[Start[L, T]], Loop],
    arguments: Sequence[str] | None,
) -> int:
    """Start a program that `make` makes, and run its loop to the end. Returns the exit status."""

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
    loop: Callable[[Start[L, T]], Loop],
    stack: ExitStack,
) -> None:
    stop = stop_on_signals()
    report = RunReport(options.report_fd, stop.set) if options.report_fd >= 0 else None
    if report is not None:
        # First in, so last out: the usage of children counts only after they were waited for.
        stack.callback(report.usage)
        stack.enter_context(telling(report, name))
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
    observers: list[Observer] = [log_outcomes(name), count_outcomes(program.counted_as)]
    # Dry runs send no breadcrumbs: pipeview would count what has not happened.
    is_tried = any(getattr(each, "dry_run", False) for each in (own, options))
    if options.breadcrumb_exchange and not is_tried:
        crumbs = Breadcrumbs(name, options.breadcrumb_exchange, broker.publish)
        stack.callback(crumbs.close)
        observers.append(crumbs)
    if report is not None:
        observers.append(report.outcome)
    # Last, so that its consumer is closed first: nothing may arrive while the rest is closed.
    running = loop(Start(options, program, name, broker, observers, stack))
    if report is not None:
        stack.enter_context(report.following(running, program))
    with working():
        running.run(stop)
