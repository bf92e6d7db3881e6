"""Options of the schedule of polls. The names of the variables are those of feeds.md 4."""

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Annotated

from pydantic import Field

from indexer.system.options import Options, option

LEAST_MINUTES = 10
"""The shortest interval that an operator can set."""

MOST_MINUTES = 366 * 24 * 60
"""The longest wait, and the longest interval that an operator can set."""

Minutes = Annotated[float, Field(ge=LEAST_MINUTES, le=MOST_MINUTES, allow_inf_nan=False)]


class ScheduleOptions(Options):
    """Part of the options of the programs that schedule feeds."""

    default_interval_mins: Minutes = option(
        360.0,
        "minutes between polls of a new feed",
        "DEFAULT_INTERVAL_MINS",
    )
    minimum_interval_mins: Minutes = option(
        10.0,
        "minimum minutes between two polls of a feed, even if less is requested; at least 10",
        "MINIMUM_INTERVAL_MINS",
    )
    maximum_interval_mins: Minutes = option(
        1440.0,
        "maximum minutes that a document's interval or a cache lifetime can set",
        "MAXIMUM_INTERVAL_MINS",
    )
    adjust_min_poll_minutes: Minutes = option(
        10.0,
        "minimum minutes between polls computed from a feed's rate of stories",
        "AUTO_ADJUST_MIN_POLL_MINUTES",
    )
    adjust_max_poll_minutes: Minutes = option(
        1440.0,
        "maximum minutes between polls computed from a feed's rate of stories",
        "AUTO_ADJUST_MAX_POLL_MINUTES",
    )
    one_a_day_minutes: Minutes = option(
        1020.0,
        "minutes between polls of a feed with one story a day, at any hour; half of it with "
        "eight a day",
        "FEEDS_ONE_A_DAY_MINUTES",
    )
    window_percent: Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)] = option(
        40.0,
        "poll a feed before this percentage of its items is expected to be new",
        "FEEDS_WINDOW_PERCENT",
    )
    jitter_percent: Annotated[float, Field(ge=0, le=50, allow_inf_nan=False)] = option(
        10.0, "percentage by which each wait is randomly longer or shorter", "FEEDS_JITTER_PERCENT"
    )
    jitter_seed: int | None = option(
        None, "seed of the random numbers, for runs that can be repeated", "FEEDS_JITTER_SEED"
    )
    maximum_backoff_mins: Minutes = option(
        1440.0,
        "maximum minutes between polls of a failing feed, until MAX_FAILURES",
        "MAXIMUM_BACKOFF_MINS",
    )
    max_failures: Annotated[float, Field(gt=0, le=10_000, allow_inf_nan=False)] = option(
        30.0, "failures after which a feed is disabled, or polled ever more rarely", "MAX_FAILURES"
    )
    undead_feeds: bool = option(
        True,
        "poll feeds ever more rarely after MAX_FAILURES, instead of disabling them",
        "UNDEAD_FEEDS",
    )
    undead_feed_max_days: Annotated[float, Field(ge=1, le=366, allow_inf_nan=False)] = option(
        30.0, "maximum days between polls of such a feed", "UNDEAD_FEED_MAX_DAYS"
    )

    @property
    def shortest(self) -> float:
        """The shortest interval that a rate can give, in minutes."""
        return max(self.minimum_interval_mins, self.adjust_min_poll_minutes)

    @property
    def longest(self) -> float:
        """The longest interval that a rate can give, in minutes."""
        return max(self.shortest, self.adjust_max_poll_minutes)

    @property
    def undead(self) -> timedelta:
        """The longest wait of a feed that always fails, unless its interval is longer."""
        return timedelta(days=self.undead_feed_max_days)

    def dice(self) -> Callable[[], float]:
        """A source of random numbers from 0 to 1; the same seed gives the same numbers."""
        return random.Random(self.jitter_seed).random  # noqa: S311 - spreads polls, no secret
