"""The weights of the hours of the week."""

from datetime import datetime, timedelta
from itertools import islice

import pytest

from indexer.feeds.polling.weekly_pattern import DAYS, HOURS, WeeklyPattern, hour_of

MONDAY = datetime(2025, 3, 3)
FLAT = WeeklyPattern([0.0] * HOURS, [0.0] * DAYS)


def only(hour: int, stories: float) -> list[float]:
    """All stories in one hour of the day."""
    return [stories if each == hour else 0.0 for each in range(HOURS)]


def weights(week: WeeklyPattern) -> list[float]:
    """The weights of a whole week, from its Monday."""
    return [weight for _, weight in islice(week.parts(MONDAY), HOURS * DAYS)]


def test_hours_are_counted_from_a_monday() -> None:
    moment = datetime(2025, 3, 5, 17, 59)
    assert (hour_of(moment) % HOURS, hour_of(moment) // HOURS % DAYS) == (17, 2)


@pytest.mark.parametrize("days", [[0.0] * 7, [9, 9, 9, 9, 9, 0, 0], [0, 0, 0, 0, 0, 0, 1e6]])
@pytest.mark.parametrize("hours", [[0.0] * 24, only(8, 100), only(0, 1e6)])
def test_weights_are_1_on_average(hours: list[float], days: list[float]) -> None:
    found = weights(WeeklyPattern(hours, days))
    assert sum(found) / len(found) == pytest.approx(1)
    assert min(found) >= 0


def test_more_stories_make_a_clearer_pattern() -> None:
    few, many = (weights(WeeklyPattern(only(8, number), [0.0] * 7))[8] for number in (3, 300))
    assert 1 < few < many


def test_the_neighbours_of_an_hour_count_too() -> None:
    found = weights(WeeklyPattern(only(23, 100), [0.0] * 7))
    assert found[23] > found[0] == found[22] > found[12]


def test_without_stories_all_minutes_weigh_the_same() -> None:
    assert FLAT.minutes(MONDAY, MONDAY + timedelta(minutes=1000)) == pytest.approx(1000)
    assert FLAT.minutes(MONDAY, MONDAY) == 0


def test_minutes_of_a_busy_hour_count_more() -> None:
    week = WeeklyPattern(only(8, 100), [0.0] * 7)
    busy, quiet = MONDAY.replace(hour=8, minute=30), MONDAY.replace(hour=2)
    assert week.minutes(busy, busy + timedelta(minutes=20)) > 40
    assert week.minutes(quiet, quiet + timedelta(minutes=20)) < 10


def test_the_first_part_is_the_rest_of_the_hour() -> None:
    parts = list(islice(FLAT.parts(MONDAY + timedelta(minutes=50)), 3))
    assert [length for length, _ in parts] == [10, 60, 60]
