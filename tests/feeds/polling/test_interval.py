"""The interval until the next poll."""

from datetime import datetime
from typing import Any

import pytest

from indexer.feeds.polling.interval import interval
from indexer.feeds.polling.rate import Rate
from indexer.feeds.polling.schedule_options import ScheduleOptions
from tests.each_row import each_row

MONDAY = datetime(2025, 3, 3)
OPTIONS = ScheduleOptions.of({})
A_WEEK = 7 * 1440.0


def known(a_day: float, window: int = 1000, **fields: Any) -> Rate:
    """The rate of a feed with so many stories a day, at any hour, for weeks."""
    return Rate(stories=a_day * 28, minutes=4 * A_WEEK, window=window, **fields)


def minutes(rate: Rate, hint: float | None = None, now: datetime = MONDAY) -> float:
    return interval(rate, now, hint, OPTIONS)


@each_row(
    ("a_day", "expected"),
    [(1 / 7, 1440), (1, 1020), (8, 510), (27, 340), (1000, 102), (1e6, 10.2)],
)
def test_eight_times_the_stories_half_the_interval(a_day: float, expected: float) -> None:
    assert minutes(known(a_day)) == pytest.approx(expected, rel=0.03)


def test_a_silent_feed_is_polled_once_a_day() -> None:
    assert minutes(Rate(minutes=4 * A_WEEK, window=10)) == 1440


@each_row(("hint", "expected"), [(None, 360), (60, 60), (720, 720), (5, 10), (43_200, 1440)])
def test_a_new_feed_has_its_published_interval_or_the_default(
    hint: float | None, expected: float
) -> None:
    assert minutes(Rate(), hint) == pytest.approx(expected, abs=1)


@pytest.mark.parametrize("initial", [60, 360])
def test_a_new_feed_with_few_items_has_the_initial_interval(
    initial: int,
) -> None:
    options = ScheduleOptions.of({"DEFAULT_INTERVAL_MINS": str(initial)})
    assert interval(Rate(window=5), MONDAY, None, options) == pytest.approx(initial, rel=0.02)


def test_a_feed_is_polled_before_its_window_is_new() -> None:
    # A window of ten, of which four may be new; a hundred stories a day.
    assert minutes(known(100, window=10)) == pytest.approx(4 / 100 * 1440, rel=0.03)


def test_a_published_interval_is_the_minimum() -> None:
    assert minutes(known(100), hint=600) == 600


def test_a_published_interval_is_no_minimum_if_stories_could_be_missed() -> None:
    assert minutes(known(100, window=10), hint=600) < 60


def test_after_a_poll_without_overlap_waits_are_limited() -> None:
    assert minutes(known(1, limit=100)) == 100


def test_many_recent_stories_shorten_the_interval() -> None:
    assert minutes(known(1, lately=10)) < 0.6 * minutes(known(1))


def test_intervals_are_longer_at_night() -> None:
    hours = [0.0] * 8 + [50.0] * 10 + [0.0] * 6
    feed = known(10, hours=hours, days=[70.0] * 7)
    evening, morning = datetime(2025, 3, 3, 19), datetime(2025, 3, 4, 8)
    assert minutes(feed, now=evening) > 2 * minutes(feed, now=morning)


@each_row(
    ("name", "value", "a_day", "expected"),
    [
        ("AUTO_ADJUST_MIN_POLL_MINUTES", "30", 1e6, 30),
        ("MINIMUM_INTERVAL_MINS", "45", 1e6, 45),
        ("AUTO_ADJUST_MAX_POLL_MINUTES", "600", 0.01, 600),
        ("FEEDS_ONE_A_DAY_MINUTES", "500", 1, 500),
        ("FEEDS_WINDOW_PERCENT", "0.1", 10, 144),
    ],
)
def test_options_change_the_interval(name: str, value: str, a_day: float, expected: float) -> None:
    found = interval(known(a_day), MONDAY, None, ScheduleOptions.of({name: value}))
    assert found == pytest.approx(expected, rel=0.03)
