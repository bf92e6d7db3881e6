"""Random moments at which feeds publish, in minutes since the start of the simulation."""

import math
import random
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

START = datetime(2025, 3, 3)
"""A Monday; times are UTC, without a zone."""

DAY = 1440.0
WEEK = 7 * DAY
_MINUTE = timedelta(minutes=1)

Weight = Callable[[float], float]
"""The rate of publishing at a moment: 1 at the busiest, 0 for none."""

NEWSROOM = (
    *(0.1, 0.06, 0.04, 0.04, 0.08, 0.2, 0.4, 0.65, 0.9, 1.0, 1.0, 0.95),
    *(0.85, 0.9, 0.95, 0.95, 0.9, 0.8, 0.65, 0.5, 0.4, 0.3, 0.22, 0.15),
)
"""The rate in each hour of a day, local time."""

WEEKEND = 0.45


def moment(minute: float) -> datetime:
    """The date of a minute."""
    return START + minute * _MINUTE


def minute(moment: datetime) -> float:
    """The minute of a date."""
    return (moment - START) / _MINUTE


def working(zone: int) -> Weight:
    """The rate of a newsroom in a time zone, with less at weekends."""

    def weight(minute: float) -> float:
        local = minute + zone * 60
        share = NEWSROOM[int(local // 60) % 24]
        return share * (WEEKEND if local % WEEK >= 5 * DAY else 1.0)

    return weight


def always(minute: float) -> float:  # noqa: ARG001 - a Weight
    """The same rate at all hours."""
    return 1.0


def steady(
    chance: random.Random, since: float, until: float, a_day: float, weight: Weight
) -> list[float]:
    """Random moments, so many on a mean day."""
    mean = sum(weight(hour * 60) for hour in range(7 * 24)) / (7 * 24)
    most, at, found = a_day / DAY / mean, since, []
    while (at := at + chance.expovariate(most)) < until:
        if chance.random() < weight(at):
            found.append(at)
    return found


def bursts(chance: random.Random, since: float, until: float, weight: Weight) -> list[float]:
    """Few stories, but every few days many within hours."""
    found = steady(chance, since, until, 0.5, weight)
    for start in steady(chance, since, until, 0.2, weight):
        length = chance.uniform(60, 300)
        found += [start + length * chance.betavariate(1, 2) for _ in range(chance.randint(5, 30))]
    return sorted(at for at in found if at < until)


def digests(chance: random.Random, since: float, until: float) -> list[float]:
    """Several stories together, at about the same time each day."""
    at, found = since + chance.uniform(0, DAY), []
    number = chance.randint(3, 9)
    while at < until:
        start = at + chance.gauss(0, 8)
        found += [start + 0.05 * n for n in range(number)]
        at += DAY
    return sorted(at for at in found if at < until)


def lognormal(chance: random.Random, median: float, spread: float) -> float:
    """A random number around a median, mostly within a factor of `spread`."""
    return median * math.exp(chance.gauss(0, math.log(spread)))


def spans(
    chance: random.Random, until: float, each: float, lengths: Callable[[], float]
) -> Iterator[tuple[float, float]]:
    """Periods that begin at random, on average `each` minutes after the end of the one before."""
    at = chance.expovariate(1 / each)
    while at < until:
        end = at + lengths()
        yield at, end
        at = end + chance.expovariate(1 / each)
