"""What a stage of the benchmark is: one kind of work, done by us and by the alternatives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class Unit(StrEnum):
    """How the cost of a stage is stated."""

    MILLISECONDS = "CPU ms each"
    RATE = "per CPU s"
    WALL_RATE = "per second"


class Done(NamedTuple):
    """What one turn did: a number of things, and the seconds that they took.

    `seconds` is given only where the work ran in processes that the benchmark does not start
    itself; without it, CPU time is that of this process and of its children that have ended.
    """

    number: int
    seconds: float | None = None


@dataclass(frozen=True)
class Stage:
    """One row of the table: the same work, done by each of the contenders in turn.

    A contender is called once a round and returns how many things it did. The first one is ours.
    `aim` is the cost that ours may have at most, or the rate that it must reach, in `unit`.
    """

    name: str
    unit: Unit
    aim: float
    contenders: Mapping[str, Callable[[], int | Done]]
    floors: Mapping[str, str] = field(default_factory=dict)
    """Contenders that do less than we do: what we do in addition, for the table's notes."""


@dataclass(frozen=True)
class Unmeasured:
    """A row that can't be measured here, and why: a server that was not started, for example."""

    name: str
    why: str
