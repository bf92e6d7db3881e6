"""What operators can set of when feeds are polled. The names are those of feeds.md 4."""

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Annotated

from pydantic import Field

from indexer.system.options import Options, option

LEAST_MINUTES = 10
"""Nobody can have a feed polled more often than that."""

MOST_MINUTES = 366 * 24 * 60
"""No wait is longer, whatever is asked for."""

Minutes = Annotated[float, Field(ge=LEAST_MINUTES, le=MOST_MINUTES, allow_inf_nan=False)]


class ScheduleOptions(Options):
    """Part of the options of the programs that say when a feed is polled next."""

    default_interval_mins: Minutes = option(
        360.0,
        "minutes between polls of a feed of which nothing is known yet",
        "DEFAULT_INTERVAL_MINS",
    )
    minimum_interval_mins: Minutes = option(
        10.0,
        "least minutes between two polls of a feed, whoever asks for fewer; not below 10",
        "MINIMUM_INTERVAL_MINS",
    )
    maximum_interval_mins: Minutes = option(
        1440.0,
        "most minutes that a document, or a cache's lifetime, can ask for",
        "MAXIMUM_INTERVAL_MINS",
    )
    adjust_min_poll_minutes: Minutes = option(
        10.0,
        "least minutes between polls that a feed's rate leads to",
        "AUTO_ADJUST_MIN_POLL_MINUTES",
    )
    adjust_max_poll_minutes: Minutes = option(
        1440.0,
        "most minutes between polls that a feed's rate leads to",
        "AUTO_ADJUST_MAX_POLL_MINUTES",
    )
    one_a_day_minutes: Minutes = option(
        1020.0,
        "minutes between polls of a feed with one story a day, at any hour; with eight a day it "
        "is half of them",
        "FEEDS_ONE_A_DAY_MINUTES",
    )
    window_percent: Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)] = option(
        40.0,
        "a feed is polled before so much of what it shows is expected to be new",
        "FEEDS_WINDOW_PERCENT",
    )
    jitter_percent: Annotated[float, Field(ge=0, le=50, allow_inf_nan=False)] = option(
        10.0, "every wait is longer or shorter by up to so much", "FEEDS_JITTER_PERCENT"
    )
    jitter_seed: int | None = option(
        None, "seed of what is left to chance, so that it can be repeated", "FEEDS_JITTER_SEED"
    )
    maximum_backoff_mins: Minutes = option(
        1440.0,
        "most minutes between tries of a feed that fails, until MAX_FAILURES",
        "MAXIMUM_BACKOFF_MINS",
    )
    max_failures: Annotated[float, Field(gt=0, le=10_000, allow_inf_nan=False)] = option(
        30.0, "failures after which a feed is given up, or polled ever less", "MAX_FAILURES"
    )
    undead_feeds: bool = option(
        True, "poll feeds ever less after MAX_FAILURES, instead of disabling them", "UNDEAD_FEEDS"
    )
    undead_feed_max_days: Annotated[float, Field(ge=1, le=366, allow_inf_nan=False)] = option(
        30.0, "most days between tries of such a feed", "UNDEAD_FEED_MAX_DAYS"
    )

    @property
    def shortest(self) -> float:
        """Least minutes that a rate leads to."""
        return max(self.minimum_interval_mins, self.adjust_min_poll_minutes)

    @property
    def longest(self) -> float:
        """Most minutes that a rate leads to."""
        return max(self.shortest, self.adjust_max_poll_minutes)

    @property
    def undead(self) -> timedelta:
        """Most time between tries of a feed that always fails, if its interval is not longer."""
        return timedelta(days=self.undead_feed_max_days)

    def dice(self) -> Callable[[], float]:
        """Numbers from 0 to 1, the same ones for the same seed."""
        return random.Random(self.jitter_seed).random  # noqa: S311 - spreads polls, no secret
