"""The rate of a feed, learned from its polls, and its encoding."""

from datetime import datetime, timedelta

import pytest

from indexer.feeds.polling import rate
from indexer.feeds.polling.backoff import Backoff
from indexer.feeds.polling.rate import News, Rate
from indexer.feeds.polling.schedule_options import ScheduleOptions
from tests.each_row import each_row

NOW = datetime(2025, 3, 5, 12)
OPTIONS = ScheduleOptions.of({})


def ago(**time: float) -> datetime:
    """A time so long before NOW."""
    return NOW - timedelta(**time)


def learned(news: News, before: Rate | None = None) -> Rate:
    return rate.learn(before or Rate(), news, OPTIONS)


def polled(known: Rate, *, hours: float, stories: int = 0, missed: bool = False) -> Rate:
    """One more poll, so long after the previous one."""
    news = News(ago(hours=hours), NOW, stories, window=10 if stories else None, missed=missed)
    return learned(news, known)


@each_row(
    "text",
    [
        None,
        "",
        "nonsense",
        "[]",
        "null",
        '{"v":2}',
        '{"v":"1"}',
        '{"stories":-1}',
        '{"stories":1e300}',
        '{"hours":[1,2]}',
        '{"days":null}',
        '{"limit":0}',
        '{"window":-5}',
        '{"backoff":{"steps":-1,"chance":0.5}}',
        '{"backoff":{"steps":1e9,"chance":0.5}}',
        "[" * 100_000,
        "\ud800",
    ],
)
def test_an_invalid_rate_is_empty(text: str | None) -> None:
    assert rate.load(text) == Rate()


def test_a_dumped_rate_can_be_loaded() -> None:
    known = Rate(stories=3.5, minutes=700, window=25, limit=90, backoff=Backoff(2, 0.5))
    assert rate.load(rate.dump(known)) == known


def test_a_dumped_rate_is_small() -> None:
    known = Rate(
        stories=1 / 3, minutes=1e5 / 3, lately=1 / 7, hours=[1 / 3] * 24, days=[1e3 / 7] * 7
    )
    assert len(rate.dump(known)) < 500


def test_keys_of_a_newer_program_are_ignored() -> None:
    assert rate.load('{"stories":2,"else":1}').stories == 2


def test_the_dates_of_a_first_document_give_a_rate() -> None:
    dates = [ago(hours=2 * n) for n in range(1, 13)]
    found = learned(News(None, NOW, stories=12, dates=dates, window=12))
    assert found.stories / found.minutes == pytest.approx(11 / (24 * 60))
    assert (sum(found.hours), found.window) == (12, 12)


@each_row(
    "dates",
    [
        [],
        [ago(hours=1)],
        [ago(days=400), ago(days=300), ago(days=200)],
        [NOW + timedelta(days=1)] * 9,
    ],
)
def test_dates_out_of_range_are_ignored(dates: list[datetime]) -> None:
    assert learned(News(None, NOW, stories=9, dates=dates, window=9)).stories == 0


def test_a_document_whose_dates_are_all_now_gives_a_moderate_rate() -> None:
    found = learned(News(None, NOW, stories=25, dates=[NOW] * 25, window=25))
    assert found.stories / found.minutes == pytest.approx(24 / 360)


def test_new_stories_count_over_the_time_since_the_previous_poll() -> None:
    found = polled(Rate(), hours=10, stories=5)
    assert (found.stories, found.minutes) == pytest.approx((5, 600))


def test_a_poll_without_news_counts_too() -> None:
    found = polled(Rate(stories=5, minutes=600), hours=10)
    assert found.stories < 5
    assert found.minutes > 1100


def test_old_stories_count_less() -> None:
    found = polled(Rate(stories=8, minutes=1e4), hours=14 * 24)
    assert found.stories == pytest.approx(4)


def test_stories_without_dates_count_for_all_hours_since_the_previous_poll() -> None:
    found = polled(Rate(), hours=3, stories=6)
    assert found.hours[9:12] == pytest.approx([2, 2, 2])
    assert sum(found.days) == pytest.approx(6)


def test_dated_stories_count_for_their_hours() -> None:
    news = News(ago(hours=5), NOW, 2, [ago(hours=1), ago(hours=4), ago(days=3)], window=10)
    assert learned(news).hours[8:12] == [1, 0, 0, 1]


@pytest.mark.parametrize("back", [timedelta(0), timedelta(hours=-3), timedelta(days=-400)])
def test_a_clock_that_went_back_changes_nothing_but_the_count(back: timedelta) -> None:
    known = Rate(stories=2, minutes=1000)
    found = learned(News(NOW - back, NOW, stories=1, window=10), known)
    assert (found.stories, found.minutes) == pytest.approx((3, 1000))


def test_recent_stories_decay_within_hours() -> None:
    soon = polled(Rate(minutes=1e4), hours=1, stories=10)
    assert soon.lately > 8
    assert polled(soon, hours=12).lately < 0.2


def test_a_poll_without_overlap_halves_the_longest_wait() -> None:
    assert polled(Rate(window=10), hours=8, stories=10, missed=True).limit == 240


def test_the_limit_after_a_missed_poll_is_at_least_an_hour() -> None:
    assert polled(Rate(limit=70), hours=1, stories=10, missed=True).limit == 60


def test_the_limit_after_a_missed_poll_grows_and_ends() -> None:
    grown = polled(Rate(limit=240), hours=5 * 24)
    assert grown.limit == pytest.approx(480)
    assert polled(Rate(limit=240), hours=30 * 24).limit is None


def test_a_success_ends_a_streak_of_failures() -> None:
    assert polled(Rate(backoff=Backoff(3, 0.5)), hours=1).backoff is None
