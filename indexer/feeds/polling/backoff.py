"""The wait after failures: it grows with each failure, without jumps (feeds.md 5.4).

interval → doubled by each failure, up to DEFAULT_INTERVAL_MINS × failures
         → at most MAXIMUM_BACKOFF_MINS → after MAX_FAILURES slowly up to UNDEAD_FEED_MAX_DAYS
"""

import math
from collections.abc import Callable

import msgspec

from indexer.feeds.polling.schedule_options import ScheduleOptions
from indexer.feeds.statuses import Severity

STEP = {Severity.HARD: 1.0, Severity.SOFT: 1.0, Severity.TEMPORARY: 0.5}
"""How many times a failure doubles the wait."""

MOST_STEPS = 20.0
"""An upper bound that keeps numbers small: 10 minutes doubled so often are 20 years."""

UNDEAD_DOUBLING = 5.0
"""The number of failures beyond MAX_FAILURES that double the longest wait."""


class Backoff(msgspec.Struct, frozen=True):
    """A streak of failures: how often the wait has doubled, and a random number for its jitter.

    A streak keeps its random number: a new one for each failure could make a wait more than twice
    as long as the previous one.
    """

    steps: float
    chance: float

    @property
    def sane(self) -> bool:
        """Whether the numbers, read from the database, are in their ranges."""
        return 0 <= self.steps <= MOST_STEPS and 0 <= self.chance <= 1


def after(
    before: Backoff | None, failures: float, severity: Severity, chance: Callable[[], float]
) -> Backoff:
    """The streak with one more failure; `failures` is the weight of those before it.

    A first failure that is soft or temporary does not double the wait.
    """
    if failures <= 0:
        return Backoff(1.0 if severity is Severity.HARD else 0.0, chance())
    # The streak began before `rate` was stored: assume that all its failures were soft.
    known = before or Backoff(max(0.0, 2 * failures - 1), chance())
    return Backoff(min(known.steps + STEP[severity], MOST_STEPS), known.chance)


def wait(base: float, failures: float, backoff: Backoff, options: ScheduleOptions) -> float:
    """Minutes until the next poll, at least `base`; `failures` includes the last one."""
    doubled = base * math.pow(2, backoff.steps)
    linear = max(base, options.default_interval_mins) * max(1.0, failures)
    return max(base, min(doubled, linear, _longest(failures, options)))


def _longest(failures: float, options: ScheduleOptions) -> float:
    """The longest wait: a day, and beyond MAX_FAILURES up to a month (by default)."""
    extra = min(max(0.0, failures - options.max_failures) / UNDEAD_DOUBLING, MOST_STEPS)
    most = max(options.maximum_backoff_mins, options.undead.total_seconds() / 60)
    return min(options.maximum_backoff_mins * math.pow(2, extra), most)
