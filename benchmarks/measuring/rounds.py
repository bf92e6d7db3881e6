"""Measures a stage: its contenders take turns, and the median of their rounds counts."""

import resource
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

from benchmarks.measuring.stage import Done, Stage, Unit


class Row(NamedTuple):
    """The measured stage: the median figure of each contender, in the stage's unit, ours first."""

    stage: Stage
    figures: dict[str, float]

    @property
    def ours(self) -> float:
        """Our own figure."""
        return next(iter(self.figures.values()))

    @property
    def reached(self) -> bool:
        """Whether our figure is as good as the aim, or better."""
        if self.stage.unit is Unit.MILLISECONDS:
            return self.ours <= self.stage.aim
        return self.ours >= self.stage.aim


def measure(stage: Stage, rounds: int) -> Row:
    """Let the contenders take turns, `rounds` times."""
    costs: dict[str, list[float]] = {name: [] for name in stage.contenders}
    for _ in range(rounds):
        for name, work in stage.contenders.items():
            costs[name].append(_seconds_each(work, stage.unit))
    return Row(stage, {name: _figure(each, stage.unit) for name, each in costs.items()})


def _figure(costs: list[float], unit: Unit) -> float:
    cost = statistics.median(costs)
    return cost * 1000 if unit is Unit.MILLISECONDS else 1 / cost


def _seconds_each(work: Callable[[], int | Done], unit: Unit) -> float:
    clock = time.monotonic if unit is Unit.WALL_RATE else cpu_seconds
    started = clock()
    result = work()
    passed = clock() - started
    done = result if isinstance(result, Done) else Done(result)
    return (passed if done.seconds is None else done.seconds) / done.number


def cpu_seconds() -> float:
    """The CPU time, user and system, of this process and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
