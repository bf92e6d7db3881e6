"""The interval until the next poll, from a feed's rate of stories.

    rate → expected stories in each coming hour
         → the moment at which the cost of their waiting reaches that of a request
         → but before much of the document is expected to be new

The cost of a waiting story is the square of its time, so that slow feeds are not neglected for
busy ones. For stories at an even rate, the interval is proportional to the cube root of the time
between two stories.
"""

import math
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from indexer.feeds.polling.rate import LATELY_HALF_LIFE, Rate
from indexer.feeds.polling.schedule_options import ScheduleOptions
from indexer.feeds.polling.weekly_pattern import WeeklyPattern

PRIOR_STORIES = 1.0
"""The weight of the initial interval: it counts as if so many stories had been seen at its rate."""

FOLLOW = 0.7
FEW = 1.0
"""How many stories follow each recent one above the expected rate, beyond the first FEW."""

_LATELY = LATELY_HALF_LIFE / timedelta(minutes=1) / math.log(2)
_HOUR = timedelta(hours=1)
_DAY = 1440.0

_Hours = Iterator[tuple[float, float]]
"""Periods from now on: their length in minutes, and the expected stories per minute."""


def interval(rate: Rate, now: datetime, hint: float | None, options: ScheduleOptions) -> float:
    """Minutes from now until the next poll.

    `hint`, the interval that the document publishes, is used for a new feed. Later it is the
    minimum, unless stories could be missed.
    """
    shortest, longest = options.shortest, options.longest
    start = min(max(hint or options.default_interval_mins, shortest), longest)
    expected = stories_a_minute(rate, start, options.one_a_day_minutes)
    week = WeeklyPattern(rate.hours, rate.days)
    worth = _worth(_hours(rate, week, now, expected), options.one_a_day_minutes, longest)
    chosen = min(max(worth, hint or 0.0), rate.limit or longest)
    # The rate of a new feed is only assumed: it does not tell when the window is full.
    if rate.window and rate.minutes:
        limit = rate.window * options.window_percent / 100
        chosen = min(chosen, _full(_hours(rate, week, now, expected), limit, longest))
    return min(max(chosen, shortest), longest)


def stories_a_minute(rate: Rate, start: float, one_a_day: float) -> float:
    """The mean rate; `start` is the interval of a new feed, and `one_a_day` the unit of cost."""
    initial = (one_a_day / start) ** 3 / _DAY
    return (rate.stories + PRIOR_STORIES) / (rate.minutes + PRIOR_STORIES / initial)


def _hours(rate: Rate, week: WeeklyPattern, now: datetime, expected: float) -> _Hours:
    """The expected rate of this hour and those that follow, without end."""
    decay = 0.5 ** (_HOUR / LATELY_HALF_LIFE)
    more: float | None = None
    for length, weight in week.parts(now):
        if more is None:
            more = FOLLOW * max(0.0, (rate.lately - FEW) / _LATELY - expected * weight)
        yield length, expected * weight + more
        more *= decay


def _worth(hours: _Hours, one_a_day: float, longest: float) -> float:
    """The minutes until the cost of waiting reaches that of a request, at most `longest`.

    A request costs as much as the stories of a feed with one story a day that wait for
    `one_a_day` minutes.
    """
    wanted = one_a_day**3 / (3 * _DAY)
    passed = 0.0
    waiting = _Waiting(0.0, 0.0, 0.0)
    for length, a_minute in hours:
        later = waiting.after(length, a_minute)
        # Only the hour in which the cost is reached is searched by bisection.
        if later.squares >= wanted:
            return passed + _crossing(waiting, length, a_minute, wanted)
        waiting = later
        passed += length
        if passed >= longest:
            break
    return longest


class _Waiting(NamedTuple):
    """Undiscovered stories: their number, the sum of their waiting minutes, and of the squares."""

    stories: float
    minutes: float
    squares: float

    def after(self, length: float, a_minute: float) -> "_Waiting":
        """The sums `length` minutes later, with `a_minute` more stories in each of them."""
        stories, minutes, squares = self
        return _Waiting(
            stories + a_minute * length,
            minutes + stories * length + a_minute * length**2 / 2,
            squares + 2 * minutes * length + stories * length**2 + a_minute * length**3 / 3,
        )


def _crossing(waiting: _Waiting, length: float, a_minute: float, wanted: float) -> float:
    """The minute within a period in which the sum of squares reaches `wanted`, by bisection."""
    low, high = 0.0, length
    while high - low > 0.5:
        middle = (low + high) / 2
        if waiting.after(middle, a_minute).squares < wanted:
            low = middle
        else:
            high = middle
    return high


def _full(hours: _Hours, limit: float, longest: float) -> float:
    """The minutes until `limit` stories are expected to have come, at most `longest`."""
    passed = stories = 0.0
    for length, a_minute in hours:
        if stories + a_minute * length >= limit:
            return passed + (limit - stories) / a_minute
        stories += a_minute * length
        passed += length
        if passed >= longest:
            break
    return longest
