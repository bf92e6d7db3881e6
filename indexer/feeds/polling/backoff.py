"""How long a feed that fails is left alone: ever longer, without jumps (feeds.md 5.4).

base → doubled with each failure, as far as a feed of the default interval would be
     → base × failures → at most MAXIMUM_BACKOFF_MINS → after MAX_FAILURES slowly to a month
"""

import math
from collections.abc import Callable

import msgspec

from indexer.feeds.polling.schedule_options import ScheduleOptions
from indexer.feeds.statuses import Severity

STEP = {Severity.HARD: 1.0, Severity.SOFT: 1.0, Severity.TEMPORARY: 0.5}
"""How often a failure doubles the wait."""

MOST_STEPS = 20.0
"""More doublings than there are between the least and the longest wait."""

UNDEAD_DOUBLING = 5.0
"""Failures above MAX_FAILURES that double the longest wait."""


class Backoff(msgspec.Struct, frozen=True):
    """A streak of failures: how often the wait has doubled, and a chance drawn once.

    With one chance a streak, jitter makes no wait more than twice the one before.
    """

    steps: float
    chance: float

    @property
    def sane(self) -> bool:
        """Whether these are numbers that `after` gives."""
        return 0 <= self.steps <= MOST_STEPS and 0 <= self.chance <= 1


def after(
    before: Backoff | None, failures: float, severity: Severity, chance: Callable[[], float]
) -> Backoff:
    """The streak with one more failure; `failures` is how many there were before it.

    The first soft or temporary failure doubles nothing.
    """
    if failures <= 0:
        return Backoff(1.0 if severity is Severity.HARD else 0.0, chance())
    # Of a streak that nothing is known of: as if all its failures had been soft.
    known = before or Backoff(max(0.0, 2 * failures - 1), chance())
    return Backoff(min(known.steps + STEP[severity], MOST_STEPS), known.chance)


def wait(base: float, failures: float, backoff: Backoff, options: ScheduleOptions) -> float:
    """Minutes until the next try; `failures` with the last one. Never fewer than the base."""
    doubled = base * math.pow(2, backoff.steps)
    linear = max(base, options.default_interval_mins) * max(1.0, failures)
    return max(base, min(doubled, linear, _longest(failures, options)))


def _longest(failures: float, options: ScheduleOptions) -> float:
    """A day; of a feed that nearly nobody hopes for any more, ever longer, up to a month."""
    extra = min(max(0.0, failures - options.max_failures) / UNDEAD_DOUBLING, MOST_STEPS)
    most = max(options.maximum_backoff_mins, options.undead.total_seconds() / 60)
    return min(options.maximum_backoff_mins * math.pow(2, extra), most)
