"""Runs a whole pipeline on this machine, until all its queues are empty or it is stopped.

    start consumers → start producers → wait for the producers' end → for each step in the order of
    the flow: wait until its queues are empty and it is idle → stop it → check again → next step

A step is stopped before the next is checked: then its last batch is flushed, and no more messages
can come from it. A program that fails is started again, a few times. Producers of an endless plan
are stopped when the run has done enough; messages that wait for a retry are then kept.
"""

import signal
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from indexer.broker import Broker, Depth
from indexer.broker.moving import ready
from indexer.errors import ProgramFailed
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.topology import fast_queue, quarantine_queue, waiting_queues
from indexer.running.problems import Problems
from indexer.running.processes import Process
from indexer.running.tally import Tally

CHECK_SECONDS = 0.2
QUIET_CHECKS = 3
"""A step is done when so many checks in a row find it idle, with no outcome between them."""

RESTART_SECONDS = 0.1
"""The first restart waits twice as long; the wait doubles with each restart."""

HEALTHY_SECONDS = 3600.0
"""After so long without a failure, earlier failures of a program no longer count."""

STOP_SECONDS = 420.0
"""The time for a program to end after SIGTERM: some wait minutes for a server."""

ENDED_WELL = (0, -signal.SIGTERM)
"""The exit statuses of programs that were stopped; one that only started knows no signal yet."""

CONFIGURATION = 2
"""The exit status of a program whose options are bad: a restart would fail in the same way."""


@dataclass
class RunPlan:
    """The pipeline to run, the arguments and the number of each step's programs, the settings.

    A producer without an entry in `arguments` is not started. With `endless`, producers don't end
    by themselves: one that ends has failed. After `restarts` restarts of a program the run fails.
    The steps in `unfinished` have messages of earlier runs, also steps that get no more messages.
    """

    pipeline: Pipeline
    arguments: Mapping[str, Sequence[str]]
    environment: Mapping[str, str]
    logs: Path
    replicas: Mapping[str, int] = field(default_factory=dict)
    endless: bool = False
    restarts: int = 3
    unfinished: Collection[str] = ()

    @property
    def producers(self) -> list[Step]:
        """The producers that have something to read."""
        return [step for step in self.pipeline.producers if step.name in self.arguments]

    @property
    def consumers(self) -> list[Step]:
        """The steps that have or get messages with these settings, in the order of the flow."""
        return [
            step
            for step in self.pipeline.consumers
            if step.is_used(self.environment) or step.name in self.unfinished
        ]

    @property
    def started(self) -> Pipeline:
        """The pipeline without the steps that have nothing to do."""
        steps = [*self.producers, *self.consumers]
        return replace(self.pipeline, steps=[s for s in self.pipeline.steps if s in steps])


class Failures:
    """Counts the recent failures of each step's programs."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: dict[str, tuple[int, float]] = {}

    def count(self, step: str) -> int:
        """Count a failure; the number of recent ones, this one included."""
        now = self._clock()
        number, moment = self._last.get(step, (0, now))
        number = 1 if now - moment > HEALTHY_SECONDS else number + 1
        self._last[step] = (number, now)
        return number


class Supervisor:
    """The processes of one run."""

    def __init__(self, plan: RunPlan, broker: Broker, tally: Tally) -> None:
        self._plan = plan
        self._broker = broker
        self._tally = tally
        self.tick: Callable[[], None] = lambda: None
        """Called a few times a second."""
        self.is_enough: Callable[[], bool] = lambda: False
        """Called a few times a second: True stops the producers, and drains the rest."""
        self.unread: list[str] = []
        """The errors of producers: inputs that could not be read, or not to their end."""
        self.problems = Problems()
        """What the programs report of failures."""
        self._processes: dict[str, list[Process]] = {}
        self._noted: set[Process] = set()
        self._failures = Failures()
        self._stop_asked = threading.Event()
        self._quiet: Counter[str] = Counter()
        self._events = -1

    def run(self, stop: threading.Event) -> bool:
        """Run until all is drained (True) or until `stop` (False). Raises ProgramFailed.

        If a producer fails, the messages that it has queued are still handled: see `unread`.
        """
        self._stop_asked = stop
        try:
            # Consumers first: a message may be handled as soon as it is queued.
            for step in [*self._plan.consumers, *self._plan.producers]:
                self._start(step)
            return self._produce(stop) and all(
                self._drain(step, stop) for step in self._plan.consumers
            )
        except KeyboardInterrupt:
            # The second Ctrl-C: an orderly stop may take minutes, and a kill loses nothing.
            for processes in self._processes.values():
                # Killed by us: no failure to tell of.
                self._noted.update(processes)
                for process in processes:
                    process.kill()
            raise
        finally:
            # Producers first, then in the order of the flow.
            for step in [*self._plan.producers, *self._plan.consumers]:
                self._stop(step)
            self._note_ends()

    def unsettled(self, step: str) -> int:
        """How many messages a step's programs have received and not settled."""
        return sum(process.taken for process in self._processes.get(step, []))

    def _start(self, step: Step) -> None:
        count = self._plan.replicas.get(step.name, 1) if self._plan.pipeline.consumes(step) else 1
        self._processes[step.name] = [self._launch(step, number) for number in range(count)]

    def _launch(self, step: Step, number: int) -> Process:
        # Replicas on one machine need different names; a restarted one gets the same name again.
        names = {"PROCESS_NAME": step.name, "INSTANCE": f"{socket.gethostname()}-{number}"}
        if step.queue:
            names["INPUT_QUEUE"] = step.queue
        return Process(
            step.name,
            self._plan.pipeline.program(step),
            self._plan.arguments.get(step.name, ()),
            {**step.settings, **self._plan.environment, **names},
            self._plan.logs / f"{step.name}.log",
            self._tally,
            partial(self.problems.add, step.name),
        )

    def _produce(self, stop: threading.Event) -> bool:
        """Wait until the producers end, or the run has done enough; False at `stop`."""
        while not all(self._has_ended(process) for process in self._producing()):
            if not self._wait(stop):
                return False
            if self.is_enough():
                for step in self._plan.producers:
                    self._stop(step)
        for process in self._producing():
            status = process.wait()
            if status == CONFIGURATION:
                raise ProgramFailed(_failure(process))
            if status != 0:
                self.unread.extend(process.reasons())
        return True

    def _producing(self) -> list[Process]:
        return [self._processes[step.name][0] for step in self._plan.producers]

    def _has_ended(self, process: Process) -> bool:
        """Whether a producer has ended, and is not to be started again."""
        return process.status is not None and (process.stopped or not self._plan.endless)

    def _drain(self, step: Step, stop: threading.Event) -> bool:
        """Wait until a step has nothing to do, and stop it; False at `stop`."""
        # Checks before the last messages of the step before it were sent tell nothing of this one.
        self._count_quiet()
        while True:
            while self._quiet[step.name] < QUIET_CHECKS:
                if not self._wait(stop):
                    return False
            self._stop(step)
            depths = self._depths(step)
            if not sum(depth.ready + (depth.unsettled or 0) for depth in depths):
                return True
            # A program failed in its last batch, whose messages are in the queue again.
            for process in self._processes[step.name]:
                if process.status not in ENDED_WELL:
                    self._count_failure(process)
            self._quiet.clear()
            self._start(step)

    def _depths(self, step: Step) -> Iterator[Depth]:
        """The depths of the queues to drain. Endless plans don't wait for retries: hours."""
        return _depths(self._broker, step, delayed=not self._plan.endless)

    def _wait(self, stop: threading.Event) -> bool:
        """Wait a moment, and start failed programs again; False at `stop`."""
        self.tick()
        endless = self._plan.producers if self._plan.endless else []
        for step in [*self._plan.consumers, *endless]:
            for number, process in enumerate(self._processes[step.name]):
                if process.status is not None and not process.stopped and not stop.is_set():
                    self._processes[step.name][number] = self._restart(step, process, number)
        self._count_quiet()
        return not stop.wait(CHECK_SECONDS)

    def _count_quiet(self) -> None:
        """Count the checks in a row that find each step quiet, with no outcome between them."""
        # Between two checks a message may pass from one step to the next: each step would look
        # quiet when it is checked, and only the outcome reveals the message.
        events = self._tally.events
        if events != self._events:
            self._quiet.clear()
            self._events = events
        for step in self._plan.consumers:
            idle = all(process.idle for process in self._processes[step.name])
            is_quiet = idle and not sum(depth.ready for depth in self._depths(step))
            self._quiet[step.name] = self._quiet[step.name] + 1 if is_quiet else 0

    def _restart(self, step: Step, process: Process, number: int) -> Process:
        """Start a failed program again. Raises ProgramFailed if it has failed too often."""
        failures = self._count_failure(process)
        self._stop_asked.wait(RESTART_SECONDS * 2**failures)
        return self._launch(step, number)

    def _count_failure(self, process: Process) -> int:
        """The recent failures of a step's programs, with this one. Raises ProgramFailed."""
        failures = self._failures.count(process.step)
        if failures > self._plan.restarts or process.status == CONFIGURATION:
            self._note(process, "")
            raise ProgramFailed(_failure(process))
        self._note(process, f"; started again, {failures} of {self._plan.restarts} times")
        return failures

    def _note_ends(self) -> None:
        """Tell of programs that have failed when they were stopped, in their last batch."""
        producers = self._plan.producers if self._plan.endless else []
        for step in [*producers, *self._plan.consumers]:
            for process in self._processes.get(step.name, []):
                if process.status not in (None, *ENDED_WELL):
                    self._note(process, "")

    def _note(self, process: Process, consequence: str) -> None:
        """Tell of a program that has failed, once."""
        if process not in self._noted:
            self._noted.add(process)
            self.problems.add_end(process.step, process.failure())
            self.problems.add(process.step, f"{process.failure()}{consequence}")

    def _stop(self, step: Step) -> None:
        processes = self._processes.get(step.name, [])
        for process in processes:
            process.stop()
        deadline = time.monotonic() + STOP_SECONDS
        for process in processes:
            self._await_end(process, deadline)

    def _await_end(self, process: Process, deadline: float) -> None:
        while process.status is None and time.monotonic() < deadline:
            self.tick()
            time.sleep(CHECK_SECONDS / 4)
        if process.status is None:
            self._noted.add(process)
            self.problems.add(process.step, f"it did not end in {STOP_SECONDS:.0f} s: killed")
        process.kill()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.problems.add(process.step, "it can't be killed")


def waiting(broker: Broker, step: Step) -> int:
    """How many messages wait for a step: in its input queue, or for a retry."""
    return sum(depth.ready for depth in _depths(broker, step))


def left(broker: Broker, step: Step) -> int:
    """How many messages a step has while none of its programs runs.

    Unsettled ones count: messages of a killed program may not be back in the queue yet.
    """
    return sum(depth.ready + (depth.unsettled or 0) for depth in _depths(broker, step))


def quarantined(broker: Broker, step: Step) -> int:
    """How many messages are in a step's quarantine."""
    return ready(broker, quarantine_queue(step.name))


def _depths(broker: Broker, step: Step, *, delayed: bool = True) -> Iterator[Depth]:
    waiting = waiting_queues(step.name) if delayed else [fast_queue(step.name)]
    for queue in (step.input, *waiting):
        if (depth := broker.depth(queue)) is not None:
            yield depth


def _failure(process: Process) -> str:
    why = f"{process.step} ended with status {process.status}: {process.failure()}"
    return f"{why}; its log is {process.log}"
