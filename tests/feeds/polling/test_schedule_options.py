"""Options of the schedule."""

import pytest

from indexer.errors import ConfigurationError
from indexer.feeds.polling.schedule_options import ScheduleOptions
from tests.each_row import each_row


def test_defaults_are_those_that_operators_know() -> None:
    options = ScheduleOptions.of({})
    assert (options.default_interval_mins, options.maximum_interval_mins) == (360, 1440)
    assert (options.maximum_backoff_mins, options.max_failures) == (1440, 30)
    assert (options.shortest, options.longest) == (10, 1440)
    assert (options.undead_feeds, options.undead_feed_max_days) == (True, 30)


@each_row(
    ("name", "value"),
    [
        ("MINIMUM_INTERVAL_MINS", "9"),
        ("MINIMUM_INTERVAL_MINS", "nan"),
        ("AUTO_ADJUST_MIN_POLL_MINUTES", "0"),
        ("DEFAULT_INTERVAL_MINS", "soon"),
        ("MAXIMUM_BACKOFF_MINS", "-1"),
        ("MAX_FAILURES", "0"),
        ("FEEDS_JITTER_PERCENT", "60"),
        ("UNDEAD_FEED_MAX_DAYS", "inf"),
    ],
)
def test_invalid_numbers_are_refused(name: str, value: str) -> None:
    with pytest.raises(ConfigurationError):
        ScheduleOptions.of({name: value})


def test_the_minimum_applies_to_intervals_from_rates() -> None:
    options = ScheduleOptions.of({"MINIMUM_INTERVAL_MINS": "2000"})
    assert (options.shortest, options.longest) == (2000, 2000)


def test_a_seed_repeats_the_random_numbers() -> None:
    options = ScheduleOptions.of({"FEEDS_JITTER_SEED": "7"})
    one, other = options.dice(), options.dice()
    assert [one() for _ in range(3)] == [other() for _ in range(3)]
