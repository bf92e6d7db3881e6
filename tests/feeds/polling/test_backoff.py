"""The wait after failures (feeds.md 5.4 with its traps), as tables."""

import pytest

from indexer.feeds.polling import backoff
from indexer.feeds.polling.backoff import Backoff
from indexer.feeds.polling.schedule_options import ScheduleOptions
from indexer.feeds.statuses import WEIGHT, Severity
from tests.each_row import each_row

OPTIONS = ScheduleOptions.of({})
HARD, SOFT, TEMPORARY = Severity.HARD, Severity.SOFT, Severity.TEMPORARY
MONTH = 30 * 1440.0


def waits(
    base: float, severities: list[Severity], options: ScheduleOptions = OPTIONS
) -> list[float]:
    """The minutes after each failure of a streak."""
    failures, streak, found = 0.0, None, []
    for severe in severities:
        streak = backoff.after(streak, failures, severe, lambda: 0.5)
        failures += WEIGHT[severe]
        found.append(backoff.wait(base, failures, streak, options))
    return found


@each_row(
    ("base", "severity", "expected"),
    [
        # The default interval and longer ones: as in the existing system.
        (360, SOFT, [360, 360, 540, 720, 900, 1080, 1260, 1440, 1440]),
        (360, HARD, [360, 720, 1080, 1440, 1440]),
        (360, TEMPORARY, [360, 360, 360, 360, 450, 540]),
        (720, SOFT, [720, 720, 1080, 1440, 1440]),
        (1440, HARD, [1440, 1440, 1440]),
        # Short intervals are doubled until they reach those.
        (10, SOFT, [10, 20, 40, 80, 160, 320, 640, 1280, 1440]),
        (10, HARD, [20, 40, 80, 160, 320, 640, 1280, 1440]),
        (60, SOFT, [60, 120, 240, 480, 900, 1080, 1260, 1440]),
    ],
)
def test_waits_of_a_streak(base: float, severity: Severity, expected: list[float]) -> None:
    assert waits(base, [severity] * len(expected)) == pytest.approx(expected)


@pytest.mark.parametrize("severity", [SOFT, TEMPORARY])
@pytest.mark.parametrize("base", [10, 45, 360, 1440, 10_080])
def test_the_first_soft_or_temporary_failure_keeps_the_interval(
    base: float, severity: Severity
) -> None:
    assert waits(base, [severity]) == [base]


@pytest.mark.parametrize("severity", [HARD, SOFT])
def test_a_fast_feed_reaches_the_default_interval_after_six_or_seven_failures(
    severity: Severity,
) -> None:
    assert waits(10, [severity] * 7)[-1] >= OPTIONS.default_interval_mins


def test_after_max_failures_the_wait_grows_slowly_to_a_month() -> None:
    found = waits(360, [HARD] * 130)
    assert found[29] == pytest.approx(1440)
    assert 1440 < found[30] < 1.2 * 1440
    assert found[34] == pytest.approx(2 * 1440)
    assert (found[60], found[119], found[-1]) == pytest.approx((21_960, MONTH, MONTH))


def test_operators_set_the_longest_waits() -> None:
    options = ScheduleOptions.of({"MAXIMUM_BACKOFF_MINS": "600", "UNDEAD_FEED_MAX_DAYS": "2"})
    found = waits(360, [HARD] * 60, options)
    assert (found[5], found[-1]) == pytest.approx((600, 2880))


def test_a_streak_draws_one_random_number() -> None:
    numbers = iter([0.25, 0.75])
    first = backoff.after(None, 0, SOFT, lambda: next(numbers))
    second = backoff.after(first, 0.5, SOFT, lambda: next(numbers))
    assert (first.chance, second.chance) == (0.25, 0.25)


def test_a_new_streak_begins_after_failures_were_reset() -> None:
    assert backoff.after(Backoff(7, 0.1), 0.0, SOFT, lambda: 0.5) == Backoff(0, 0.5)


def test_an_unknown_streak_is_derived_from_its_failures() -> None:
    assert backoff.after(None, 2.0, SOFT, lambda: 0.5) == Backoff(4, 0.5)
