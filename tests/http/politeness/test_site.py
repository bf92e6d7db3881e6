"""Tests of the politeness rules for one site (stories.md 6.2)."""

import pytest

from indexer.errors import Requeue, Retry
from indexer.http.politeness import retry_after
from indexer.http.politeness.site import MAX_SECONDS, Site, SiteLimits
from tests.each_row import each_row

LIMITS = SiteLimits(held=8)
NOW = 1000.0


def test_ten_stories_that_arrive_together_take_turns_until_too_many_wait() -> None:
    site = Site()
    waits: list[float | str] = []
    for _ in range(10):
        try:
            waits.append(site.reserve(NOW, LIMITS))
        except Requeue as requeue:
            waits.append(requeue.status)

    assert waits == [0, 5, 10, 15, 20, 25, 30, 35, "busy", "busy"]


def test_a_site_is_visited_at_its_interval_and_not_sooner() -> None:
    site = Site()
    assert site.reserve(NOW, LIMITS) == 0
    assert site.reserve(NOW + 2, LIMITS) == 3
    assert site.reserve(NOW + 100, LIMITS) == 0


@each_row(
    ("latency", "floor", "back_off", "interval"),
    [
        (None, 0.0, 0.0, 7.0),
        (1.0, 0.0, 0.0, 5.0),
        (40.0, 0.0, 0.0, 10.0),
        (1.0, 20.0, 0.0, 20.0),
        (40.0, 20.0, 30.0, 30.0),
    ],
)
def test_the_interval_is_the_longest_of_all_that_count(
    latency: float | None, floor: float, back_off: float, interval: float
) -> None:
    site = Site(latency=latency, floor=floor, back_off=back_off)

    assert site.interval(SiteLimits(initial_interval=7.0)) == interval


def test_without_a_least_interval_a_quick_site_sets_the_pace() -> None:
    site = Site(latency=0.02)

    assert site.interval(SiteLimits(min_interval=0.0)) == 0.005


@each_row(
    ("known", "seconds", "data", "latency"),
    [
        (None, 2.0, True, 2.0),
        (None, 2.0, False, 2.0),
        (4.0, 8.0, True, 5.0),
        (4.0, 8.0, False, 5.0),
        (4.0, 0.0, True, 3.0),
        (4.0, 0.0, False, 4.0),
    ],
)
def test_only_pages_lower_the_average_latency(
    known: float | None, seconds: float, data: bool, latency: float
) -> None:
    site = Site(latency=known)
    site.answered(seconds, data=data)

    assert site.latency == latency


def test_a_turn_that_is_too_far_off_is_not_waited_for() -> None:
    site = Site(next_start=NOW + 121)

    with pytest.raises(Requeue, match="busy"):
        site.reserve(NOW, LIMITS)
    assert (site.held, site.next_start) == (0, NOW + 121)


def test_at_most_the_allowed_number_of_visits_is_active() -> None:
    site = Site(held=5)
    for _ in range(4):
        site.start(NOW, LIMITS)
    with pytest.raises(Requeue, match="4 of its site"):
        site.start(NOW, LIMITS)

    assert (site.active, site.held) == (4, 0)
    site.end(NOW)
    site.held = 1
    site.start(NOW, LIMITS)


def test_the_throttle_interval_is_the_time_between_two_starts() -> None:
    site = Site(latency=1.0)
    site.throttle(NOW, NOW + 1, None, 0.5, LIMITS)

    waits = [site.reserve(NOW + 1, LIMITS) for _ in range(3)]
    assert waits == [30, 60, 90]


def test_throttling_again_doubles_the_interval_with_jitter_up_to_a_limit() -> None:
    site, intervals = Site(), []
    for number in range(9):
        started = NOW + number * 1000
        site.throttle(started, started + 1, None, 0.4, LIMITS)
        intervals.append(round(site.interval(LIMITS)))

    assert intervals == [30, 66, 145, 319, 703, 1546, 3401, 3600, 3600]


def test_a_burst_that_is_throttled_counts_once() -> None:
    site = Site()
    for _ in range(4):
        site.throttle(NOW, NOW + 1, None, 0.0, LIMITS)

    assert site.interval(LIMITS) == 30


def test_a_site_recovers_with_each_page_that_was_asked_for_since() -> None:
    site = Site()
    site.throttle(NOW, NOW + 1, None, 0.0, LIMITS)
    intervals = []
    for started in (NOW, NOW + 31, NOW + 62, NOW + 93):
        site.recovered(started, LIMITS)
        intervals.append(site.interval(LIMITS))

    assert intervals == [30, 15, 7.5, 5]


def test_retry_after_blocks_a_site_and_leaves_its_interval() -> None:
    site = Site(latency=1.0)
    site.throttle(NOW, NOW, 20.0, 0.0, LIMITS)

    assert [site.reserve(NOW, LIMITS) for _ in range(2)] == [20, 25]


def test_a_long_pause_is_a_requeue_and_no_retry() -> None:
    site = Site(held=1)
    site.throttle(NOW, NOW, 3600.0, 0.0, LIMITS)

    with pytest.raises(Requeue) as refused:
        site.reserve(NOW + 600, LIMITS)
    with pytest.raises(Requeue) as stopped:
        site.start(NOW + 600, LIMITS)
    assert (refused.value.status, stopped.value.status) == ("skipped", "skipped2")
    assert refused.value.delay == stopped.value.delay == 3000
    assert site.reserve(NOW + 3600, LIMITS) == 0


def test_a_waiting_story_is_put_back_when_its_site_throttles() -> None:
    site = Site()
    site.reserve(NOW, LIMITS)
    site.throttle(NOW, NOW, 20.0, 0.0, LIMITS)

    with pytest.raises(Requeue, match="pause of 20 s"):
        site.start(NOW, LIMITS)
    assert (site.held, site.active) == (0, 0)


def test_a_site_that_is_down_is_left_alone_until_it_may_be_up() -> None:
    site = Site(held=1, down=NOW + 600)

    with pytest.raises(Retry, match="skipped:") as refused:
        site.reserve(NOW, LIMITS)
    with pytest.raises(Retry, match="skipped2:"):
        site.start(NOW + 599, LIMITS)
    assert refused.value.drop
    assert refused.value.delay is None
    assert site.reserve(NOW + 600, LIMITS) == 0


def test_a_page_shows_that_a_site_is_up() -> None:
    site = Site(down=NOW + 600)
    site.recovered(NOW, LIMITS)

    assert site.reserve(NOW + 1, LIMITS) == 0


def test_a_request_without_a_reservation_delays_the_next_start() -> None:
    site = Site()
    site.charge(NOW, LIMITS)

    assert site.reserve(NOW, LIMITS) == 5


@each_row(
    ("site", "forgettable"),
    [
        (Site(used=NOW - 3599), False),
        (Site(used=NOW - 3600), True),
        (Site(used=NOW - 3600, held=1), False),
        (Site(used=NOW - 3600, active=1), False),
        (Site(used=NOW - 3600, blocked=NOW + 1), False),
        (Site(used=NOW - 3600, down=NOW + 1), False),
    ],
)
def test_an_idle_site_is_known_for_an_hour_and_as_long_as_it_matters(
    site: Site, forgettable: bool
) -> None:
    assert site.forgettable(NOW, LIMITS) is forgettable


DATED = 1_445_412_420.0  # Wed, 21 Oct 2015 07:27:00 GMT


@each_row(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 60.0),
        ("Wednesday, 21-Oct-15 07:28:00 GMT", 60.0),
        ("Wed Oct 21 07:28:00 2015", 60.0),
        ("Wed, 21 Oct 2015 09:28:00 +0200", 60.0),
        ("Wed, 21 Oct 2015 07:26:00 GMT", 0.0),
        ("Wed, 21 Oct 2099 07:28:00 GMT", MAX_SECONDS),
        ("999999999999", MAX_SECONDS),
        ("9" * 5000, None),
        (None, None),
        ("", None),
        ("-5", None),
        ("1.5", None),
        ("٣", None),
        ("soon", None),
        ("Wed, 99 Oct 2015 07:28:00 GMT", None),
        ("Wed, 21 Oct 99999999999 07:28:00 GMT", None),
    ],
)
def test_numbers_and_dates_are_seconds_to_wait(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, DATED) == seconds


@pytest.mark.parametrize("value", ["316800", "Sat, 24 Oct 2015 23:27:00 GMT"])
def test_a_caller_may_allow_a_longer_pause(value: str) -> None:
    assert retry_after(value, DATED, longest=2_592_000.0) == pytest.approx(316_800.0)
    assert retry_after(value, DATED, longest=60.0) == 60.0
