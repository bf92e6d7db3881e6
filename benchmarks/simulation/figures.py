"""Counters of a running simulation, and the figures in its table."""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.simulation.arrivals import DAY
from benchmarks.simulation.world import Source, World

SLOT = 60.0
"""Minutes of a slot, for finding the busiest one."""


@dataclass(slots=True)
class Record:
    """The counters of a simulation."""

    polls: int = 0
    requests: Counter[int] = field(default_factory=Counter)
    """By day."""
    too_early: int = 0
    """Requests to a host before the end of its Retry-After."""
    phantoms: int = 0
    most_a_minute: int = 0
    slots: Counter[int] = field(default_factory=Counter)
    _starts: dict[str, deque[float]] = field(default_factory=dict)
    _told: dict[str, float] = field(default_factory=dict)

    def start(self, host: str, at: float, requests: int, *, crowded: bool) -> None:
        """Count a poll of a host, and its requests; after a closure, `crowded` hosts get many."""
        self.polls += 1
        self.requests[int(at // DAY)] += requests
        self.slots[int(at // SLOT)] += not crowded
        self.too_early += at < self._told.get(host, 0.0)
        starts = self._starts.setdefault(host, deque())
        starts.append(at)
        while starts[0] < at - 1 + 1e-6:
            starts.popleft()
        self.most_a_minute = max(self.most_a_minute, len(starts))

    def told(self, host: str, until: float) -> None:
        """Remember the end of a host's Retry-After."""
        self._told[host] = max(until, self._told.get(host, 0.0))


@dataclass(slots=True)
class Figures:
    """The figures of one policy, over some of the days."""

    polls: int
    requests: int
    stories: int
    p50: float
    p95: float
    p99: float
    mean: float
    missed: int
    phantoms: int
    most_a_minute: int
    too_early: int
    peak: float
    """Polls in the busiest hour divided by the mean, at hosts that are never closed."""


def figures(world: World, record: Record, first: float = 0) -> Figures:
    """The figures of the stories and requests from the day `first` on.

    Stories that are not found yet count with their wait so far.
    """
    delays, missed = _delays(world, first * DAY)
    # Only the last third: all feeds begin within six hours, so the first days are busier.
    slots = [
        record.slots[n]
        for n in range(int(world.days * 2 / 3 * DAY / SLOT), int(world.days * DAY / SLOT))
    ]
    return Figures(
        polls=record.polls,
        requests=sum(n for day, n in record.requests.items() if day >= first),
        stories=len(delays),
        p50=_percentile(delays, 50),
        p95=_percentile(delays, 95),
        p99=_percentile(delays, 99),
        mean=sum(delays) / max(len(delays), 1),
        missed=missed,
        phantoms=record.phantoms,
        most_a_minute=record.most_a_minute,
        too_early=record.too_early,
        peak=max(slots) * len(slots) / max(sum(slots), 1),
    )


def _delays(world: World, since: float) -> tuple[list[float], int]:
    """The sorted delays of all stories since a moment, and the number of missed stories."""
    end = world.days * DAY
    delays, missed = [], 0
    for shown in _by_origin(world.sources):
        origin = shown[0].origin
        there = origin.until(end) - max(source.window for source in shown)
        for number in range(origin.until(since), origin.until(end)):
            found = origin.found[number]
            if found is None and number < there:
                missed += 1
            else:
                delays.append((end if found is None else found) - origin.times[number])
    return sorted(delays), missed


def _by_origin(sources: Sequence[Source]) -> list[list[Source]]:
    groups: dict[int, list[Source]] = {}
    for source in sources:
        groups.setdefault(id(source.origin), []).append(source)
    return list(groups.values())


def _percentile(numbers: Sequence[float], percent: float) -> float:
    return numbers[min(int(len(numbers) * percent / 100), len(numbers) - 1)] if numbers else 0.0


MOST_STARTS = 12
"""Most polls that may start at one host in a minute."""


def broken_promises(found: Figures) -> list[str]:
    """The broken promises: events that must never happen, whatever the feeds do."""
    promises = {
        f"{found.too_early} requests before a Retry-After": found.too_early == 0,
        f"{found.most_a_minute} starts in a minute at a host": found.most_a_minute <= MOST_STARTS,
        f"{found.phantoms} stories announced again": found.phantoms == 0,
        "nothing was found": found.stories > 0,
    }
    return [promise for promise, kept in promises.items() if not kept]
