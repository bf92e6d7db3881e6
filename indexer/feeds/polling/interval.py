"""When the next poll of a feed is worth a request.

    rate → stories to be expected in each hour to come
         → the moment at which their waiting is worth a request: its squares, added up
         → but before much of what the feed shows is new

A story that waits twice as long counts four times: no feed is forgotten for the busy ones. With
stories that come evenly the interval is as the cube root of the time between them.
"""

import math
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from indexer.feeds.polling.rate import LATELY_HALF_LIFE, Rate
from indexer.feeds.polling.schedule_options import ScheduleOptions
from indexer.feeds.polling.week import Week

PRIOR_STORIES = 1.0
"""What is known before anything is: as if so many stories had come at the initial interval."""

FOLLOW = 0.7
FEW = 1.0
"""Of stories that came just now, above what was expected: how many follow each, as long as there
are more than a few."""

_LATELY = LATELY_HALF_LIFE / timedelta(minutes=1) / math.log(2)
_HOUR = timedelta(hours=1)
_DAY = 1440.0

_Hours = Iterator[tuple[float, float]]
"""Minutes, and stories to be expected in each of these."""


def interval(rate: Rate, now: datetime, hint: float | None, options: ScheduleOptions) -> float:
    """Minutes from now until the next poll; `hint`: those that the document asks for.

    A hint is where it begins, and what it does not go below, unless stories could be missed.
    """
    shortest, longest = options.shortest, options.longest
    start = min(max(hint or options.default_interval_mins, shortest), longest)
    expected = stories_a_minute(rate, start, options.one_a_day_minutes)
    worth = _worth(_hours(rate, now, expected), options.one_a_day_minutes, longest)
    chosen = min(max(worth, hint or 0.0), rate.limit or longest)
    # Before anything is known there is nothing that says how soon a window is full.
    if rate.window and rate.minutes:
        limit = rate.window * options.window_percent / 100
        chosen = min(chosen, _full(_hours(rate, now, expected), limit, longest))
    return min(max(chosen, shortest), longest)


def stories_a_minute(rate: Rate, start: float, one_a_day: float) -> float:
    """What is expected on average; `start`: the interval while nothing is known."""
    initial = (one_a_day / start) ** 3 / _DAY
    return (rate.stories + PRIOR_STORIES) / (rate.minutes + PRIOR_STORIES / initial)


def _hours(rate: Rate, now: datetime, expected: float) -> _Hours:
    """From now on, for ever."""
    fades = 0.5 ** (_HOUR / LATELY_HALF_LIFE)
    more: float | None = None
    for length, weight in Week(rate.hours, rate.days).parts(now):
        if more is None:
            more = FOLLOW * max(0.0, (rate.lately - FEW) / _LATELY - expected * weight)
        yield length, expected * weight + more
        more *= fades


def _worth(hours: _Hours, one_a_day: float, longest: float) -> float:
    """When the squares of the minutes that stories will have waited are worth a request.

    They are, added up, as much as of one story a day in `one_a_day` minutes; `longest` if later.
    """
    wanted = one_a_day**3 / (3 * _DAY)
    passed = 0.0
    waiting = _Waiting(0.0, 0.0, 0.0)
    for length, a_minute in hours:
        later = waiting.after(length, a_minute)
        if later.squares >= wanted:
            return passed + _crossing(waiting, length, a_minute, wanted)
        waiting = later
        passed += length
        if passed >= longest:
            break
    return longest


class _Waiting(NamedTuple):
    """Stories that are not known yet: their number, the sum of the minutes, and of the squares."""

    stories: float
    minutes: float
    squares: float

    def after(self, length: float, a_minute: float) -> "_Waiting":
        """So many minutes later, of which each brought some more."""
        stories, minutes, squares = self
        return _Waiting(
            stories + a_minute * length,
            minutes + stories * length + a_minute * length**2 / 2,
            squares + 2 * minutes * length + stories * length**2 + a_minute * length**3 / 3,
        )


def _crossing(waiting: _Waiting, length: float, a_minute: float, wanted: float) -> float:
    """The minute, of so many, in which the squares become as many."""
    low, high = 0.0, length
    while high - low > 0.5:
        middle = (low + high) / 2
        if waiting.after(middle, a_minute).squares < wanted:
            low = middle
        else:
            high = middle
    return high


def _full(hours: _Hours, limit: float, longest: float) -> float:
    """When as many stories as `limit` will have come; `longest` if later."""
    passed = stories = 0.0
    for length, a_minute in hours:
        if stories + a_minute * length >= limit:
            return passed + (limit - stories) / a_minute
        stories += a_minute * length
        passed += length
        if passed >= longest:
            break
    return longest
