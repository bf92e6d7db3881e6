"""Runs a whole pipeline on this machine: until all its queues are empty, or until it is stopped.

    start consumers → start producers → producers end → for each step in the order of the flow:
    its queues are empty and it is idle → stop it → look again → next

A step is stopped before the next is looked at, so its last batch is flushed and nothing can
come any more. A program that fails is started again, a few times. Producers that never end by
themselves are stopped when it is enough, and what waits for its next try then is kept.
"""

import logging
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from indexer.broker import Broker, Depth
from indexer.broker.moving import ready
from indexer.errors import ProgramFailed
from indexer.messages.topology import (
    Pipeline,
    Step,
    delay_queue,
    fast_queue,
    input_queue,
    quarantine_queue,
)
from indexer.running.processes import Process
from indexer.running.tally import Tally

LOOK_SECONDS = 0.2
QUIET_LOOKS = 3
"""A step is done when so many looks in a row find it idle and nothing has happened between."""

RESTART_SECONDS = 0.1
"""The pause before the first restart is twice this; it doubles with each."""

HEALTHY_SECONDS = 3600.0
"""A program that has run for so long without failing is well: earlier failures don't count."""

STOP_SECONDS = 420.0
"""How long a program may take to end when asked to: the importer and the archiver wait some
minutes for a server that is away."""

CONFIGURATION = 2
"""The exit status of a program whose options can't work: starting it again is no use."""

_log = logging.getLogger("run")


@dataclass
class RunPlan:
    """What to run: the pipeline, its inputs, how many of each, with which settings.

    `arguments` are those of each step's program; a producer without an entry is not started. With
    `endless`, producers don't end by themselves: one that does has failed. A program is started
    again `restarts` times, and then the run ends.
    """

    pipeline: Pipeline
    arguments: Mapping[str, Sequence[str]]
    environment: Mapping[str, str]
    logs: Path
    replicas: Mapping[str, int] = field(default_factory=dict)
    endless: bool = False
    restarts: int = 3

    @property
    def producers(self) -> list[Step]:
        """The steps that start things, and have something to read."""
        steps = self.pipeline.steps
        return [s for s in steps if not self.pipeline.consumes(s) and s.name in self.arguments]

    @property
    def started(self) -> Pipeline:
        """The pipeline without the producers that have nothing to read."""
        steps = [*self.producers, *self.consumers]
        return replace(self.pipeline, steps=[s for s in self.pipeline.steps if s in steps])

    @property
    def consumers(self) -> list[Step]:
        """The steps that take messages, in the order of the flow."""
        return [step for step in self.pipeline.steps if self.pipeline.consumes(step)]


class Failures:
    """How often each step's programs have failed lately."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: dict[str, tuple[int, float]] = {}

    def count(self, step: str) -> int:
        """Count one more. What was long before the last one is forgotten."""
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
        """Asked a few times a second: when it says so, producers are stopped, the rest drained."""
        self.unread: list[str] = []
        """Why producers failed: inputs that could not be read, or not to their end."""
        self._processes: dict[str, list[Process]] = {}
        self._failures = Failures()
        self._stop_asked = threading.Event()
        self._quiet: Counter[str] = Counter()
        self._events = -1

    def run(self, stop: threading.Event) -> bool:
        """Run until all is drained, True, or until `stop`, False. Raises ProgramFailed.

        A producer that failed is no reason not to handle what it had queued: see `unread`.
        """
        self._stop_asked = stop
        try:
            for step in [*self._plan.consumers, *self._plan.producers]:
                self._start(step)
            return self._produce(stop) and all(
                self._drain(step, stop) for step in self._plan.consumers
            )
        except KeyboardInterrupt:
            self._kill_all()
            raise
        finally:
            self._stop_all()

    def in_hand(self, step: str) -> int:
        """How many messages a step's programs hold."""
        return sum(process.taken for process in self._processes.get(step, []))

    def _start(self, step: Step) -> None:
        count = self._plan.replicas.get(step.name, 1) if self._plan.pipeline.consumes(step) else 1
        self._processes[step.name] = [self._launch(step) for _ in range(count)]

    def _launch(self, step: Step) -> Process:
        return Process(
            step.name,
            self._plan.pipeline.program(step),
            self._plan.arguments.get(step.name, ()),
            {**self._plan.environment, "PROCESS_NAME": step.name},
            self._plan.logs / f"{step.name}.log",
            self._tally,
        )

    def _produce(self, stop: threading.Event) -> bool:
        """Wait for the producers' end, or until it is enough."""
        while not all(self._has_ended(process) for process in self._producing()):
            if not self._look(stop):
                return False
            if self.is_enough():
                for step in self._plan.producers:
                    self._stop(step)
        for process in self._producing():
            status = process.wait()
            if status == CONFIGURATION:
                raise ProgramFailed(_words(process))
            if status != 0:
                self.unread.append(process.reason())
        return True

    def _producing(self) -> list[Process]:
        return [self._processes[step.name][0] for step in self._plan.producers]

    def _has_ended(self, process: Process) -> bool:
        """Whether a producer has, and is not to be started again."""
        return process.status is not None and (process.stopped or not self._plan.endless)

    def _drain(self, step: Step, stop: threading.Event) -> bool:
        """Wait until a step has nothing to do, and stop it."""
        while True:
            while self._quiet[step.name] < QUIET_LOOKS:
                if not self._look(stop):
                    return False
            self._stop(step)
            if not self._left(step):
                return True
            for process in self._processes[step.name]:
                if process.status != 0:
                    self._count_failure(process)
            self._quiet.clear()
            self._start(step)

    def _is_quiet(self, step: Step) -> bool:
        idle = all(process.idle for process in self._processes[step.name])
        return idle and not sum(depth.ready for depth in self._depths(step))

    def _left(self, step: Step) -> int:
        return sum(depth.ready + (depth.unsettled or 0) for depth in self._depths(step))

    def _depths(self, step: Step) -> Iterator[Depth]:
        """Of the queues that are drained. What failed is kept for the next run, if this one was
        never to end: its delays are long."""
        return _depths(self._broker, step.name, delayed=not self._plan.endless)

    def _look(self, stop: threading.Event) -> bool:
        """A pause; False when it is time to stop. Starts again what has failed."""
        self.tick()
        for step in [*self._plan.consumers, *self._endless]:
            for number, process in enumerate(self._processes[step.name]):
                if process.status is not None and not stop.is_set():
                    self._processes[step.name][number] = self._restart(step, process)
        self._count_quiet()
        return not stop.wait(LOOK_SECONDS)

    @property
    def _endless(self) -> list[Step]:
        """The producers that are started again, too."""
        return self._plan.producers if self._plan.endless else []

    def _count_quiet(self) -> None:
        """In how many looks in a row each step was found quiet, with no event between."""
        events = self._tally.events
        if events != self._events:
            self._quiet.clear()
            self._events = events
        for step in self._plan.consumers:
            self._quiet[step.name] = self._quiet[step.name] + 1 if self._is_quiet(step) else 0

    def _restart(self, step: Step, process: Process) -> Process:
        """Start again a program that ended, unless it was stopped or fails too often."""
        if process.stopped:
            return process
        failures = self._count_failure(process)
        _log.warning("%s ended with status %s: started again", step.name, process.status)
        self._stop_asked.wait(RESTART_SECONDS * 2**failures)
        return self._launch(step)

    def _count_failure(self, process: Process) -> int:
        """How often programs of its step have failed. Raises ProgramFailed when that is enough."""
        failures = self._failures.count(process.step)
        if failures > self._plan.restarts or process.status == CONFIGURATION:
            raise ProgramFailed(_words(process))
        return failures

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
            time.sleep(LOOK_SECONDS / 4)
        process.kill()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            _log.error("%s does not end", process.step)

    def _kill_all(self) -> None:
        for processes in self._processes.values():
            for process in processes:
                process.kill()

    def _stop_all(self) -> None:
        """Stop what still runs, producers first, then in the order of the flow."""
        for step in [*self._plan.producers, *self._plan.consumers]:
            self._stop(step)


def waiting(broker: Broker, step: str) -> int:
    """How many messages wait for a step: in its input queue, or for their next try."""
    return sum(depth.ready for depth in _depths(broker, step))


def left(broker: Broker, step: str) -> int:
    """How many messages a step has when none of its programs runs.

    What a program held that was killed may not be back in its queue yet.
    """
    return sum(depth.ready + (depth.unsettled or 0) for depth in _depths(broker, step))


def quarantined(broker: Broker, step: str) -> int:
    """How many messages of a step wait for a person."""
    return ready(broker, quarantine_queue(step))


def _depths(broker: Broker, step: str, *, delayed: bool = True) -> Iterator[Depth]:
    for queue in (input_queue(step), fast_queue(step), *([delay_queue(step)] * delayed)):
        if (depth := broker.depth(queue)) is not None:
            yield depth


def _words(process: Process) -> str:
    return (
        f"{process.step} ended with status {process.status}; "
        f"its log, {process.log}, ends with:\n{process.last_words()}"
    )
