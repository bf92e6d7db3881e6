"""The columns that an attempt sets, and the next poll: feeds.md 3, 5.4 to 5.6."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import strategies as st

from indexer.feeds.attempt import (
    WORKING,
    Attempt,
    FeedAnswer,
    ItemCounts,
    Poll,
    Unchanged,
)
from indexer.feeds.feed import Feed
from indexer.feeds.polling import rate, schedule
from indexer.feeds.polling.backoff import Backoff
from indexer.feeds.polling.rate import Rate
from indexer.feeds.polling.schedule_options import ScheduleOptions
from tests.each_row import each_row
from tests.feeds.polls import document, minutes

STARTED = datetime(2025, 3, 5, 12)
NOW = STARTED + timedelta(seconds=7)
BEFORE = STARTED - timedelta(hours=6)
STEADY = {"FEEDS_JITTER_PERCENT": "0"}


def feed(**columns: Any) -> Feed:
    """A feed that has been polled before."""
    return Feed(
        **{"id": 1, "url": "https://a.example/feed", "last_parse_success": BEFORE, **columns}
    )


def attempt(status: str = WORKING, **fields: Any) -> Attempt:
    poll = Poll(feed_id=1, url="https://a.example/feed", lease="l", expires=NOW + minutes(15))
    return Attempt(poll=poll, started=STARTED, status=status, **fields)


def http(code: int, **fields: Any) -> Attempt:
    return attempt(f"HTTP {code} Reason", answer=FeedAnswer(code=code, **fields))


def after(
    before: Feed, tried: Attempt, counts: ItemCounts | None = None, chance: float = 0.5, **env: str
) -> dict[str, Any]:
    options = ScheduleOptions.of({**STEADY, **env})
    return schedule.after(before, tried, counts, NOW, options, lambda: chance)


def wait(columns: dict[str, Any]) -> float:
    """Minutes from now until the next poll."""
    next: datetime = columns["next_fetch_attempt"]
    return (next - NOW) / minutes(1)


def success(before: Feed | None = None, chance: float = 0.5, **env: str) -> dict[str, Any]:
    """The columns after a document of ten items, two of them new."""
    counts = ItemCounts(added=2, duplicates=8)
    return after(before or feed(), attempt(document=document()), counts, chance, **env)


UNCHANGED = attempt(unchanged=Unchanged.NOT_MODIFIED, answer=FeedAnswer(code=304))


# What is stored.


def test_a_success_is_stored_with_the_time_of_its_start() -> None:
    columns = success(feed(last_fetch_failures=3.5, gone_at=BEFORE))
    moments = ("last_fetch_attempt", "last_fetch_success", "last_parse_success", "last_new_stories")
    assert {columns[name] for name in moments} == {STARTED}
    assert (columns["last_fetch_failures"], columns["gone_at"]) == (0, None)
    assert columns["system_status"] == "Working"


def test_an_unchanged_document_is_a_success_without_new_stories() -> None:
    columns = after(feed(update_minutes=90), UNCHANGED)
    assert columns["last_fetch_success"] == columns["last_parse_success"] == STARTED
    assert "last_new_stories" not in columns
    assert columns["update_minutes"] == 90


def test_duplicates_are_no_new_stories() -> None:
    columns = after(feed(), attempt(document=document()), ItemCounts(duplicates=10))
    assert "last_new_stories" not in columns


@each_row(
    ("status", "failures"),
    [
        ("HTTP 404 Not Found", 1.5),
        ("HTTP 403 Forbidden", 2.0),
        ("temporary DNS error", 1.25),
        ("parse error", 1.5),
        ("bad URL", 2.0),
        ("job timeout", 1.5),
    ],
)
def test_failures_count_by_their_severity(status: str, failures: float) -> None:
    columns = after(feed(last_fetch_failures=1.0), attempt(status))
    assert (columns["last_fetch_failures"], columns["system_status"]) == (failures, status)


def test_a_failure_sets_only_the_time_of_the_attempt() -> None:
    columns = after(feed(), attempt("read timeout"))
    assert columns["last_fetch_attempt"] == STARTED
    kept = {"last_fetch_success", "last_parse_success", "last_new_stories", "poll_minutes"}
    assert not kept & columns.keys()


def test_a_parse_error_is_a_successful_fetch() -> None:
    columns = after(feed(), attempt("parse error", answer=FeedAnswer(code=200)))
    assert columns["last_fetch_success"] == STARTED
    assert "last_parse_success" not in columns


def test_a_failed_first_fetch_does_not_pin_the_interval() -> None:
    columns = after(Feed(id=1), attempt("connect timeout"))
    assert {"poll_minutes", "update_minutes"}.isdisjoint(columns)
    assert wait(columns) == 360


# What the document says.


@each_row(("published", "stored"), [(60, 60), (None, None), (5, 5), (9999, 1440)])
def test_the_published_interval_is_stored_or_cleared(
    published: int | None, stored: int | None
) -> None:
    tried = attempt(document=document(update_minutes=published))
    columns = after(feed(update_minutes=30), tried, ItemCounts(duplicates=10))
    assert columns["update_minutes"] == stored


def test_a_published_interval_below_the_minimum_is_only_stored() -> None:
    tried = attempt(document=document(update_minutes=1))
    columns = after(Feed(id=1), tried, ItemCounts(added=10))
    assert columns["update_minutes"] == 1
    assert wait(columns) == pytest.approx(10, abs=1)


def test_a_published_interval_counts_after_failures_too() -> None:
    columns = after(Feed(id=1, update_minutes=60), attempt("read timeout"))
    assert wait(columns) == 60


# The interval of a success.


def test_the_effective_interval_is_stored() -> None:
    columns = success()
    assert columns["poll_minutes"] == round(wait(columns))


def test_new_stories_shorten_the_interval_and_their_lack_lengthens_it() -> None:
    silent, some = wait(after(feed(), UNCHANGED)), wait(success())
    many = wait(after(feed(), attempt(document=document()), ItemCounts(added=9, duplicates=1)))
    assert many < some < silent


def test_a_late_poll_shortens_the_interval_too() -> None:
    late = feed(poll_minutes=60, last_parse_success=STARTED - timedelta(hours=9))
    counts = ItemCounts(added=9, duplicates=1)
    assert wait(after(late, attempt(document=document()), counts)) < 360


@pytest.mark.parametrize("override", [30, 777, 20_000])
def test_the_operators_interval_replaces_all_others(override: int) -> None:
    late = FeedAnswer(code=200, fresh_until=NOW + timedelta(days=1))
    tried = attempt(document=document(update_minutes=90), answer=late)
    known = feed(poll_minutes_override=override)
    columns = after(known, tried, ItemCounts(added=10))
    assert (wait(columns), columns["poll_minutes"]) == (override, override)


def test_not_below_the_minimum() -> None:
    assert wait(success(feed(poll_minutes_override=1))) == 10
    assert wait(success(feed(poll_minutes_override=1), MINIMUM_INTERVAL_MINS="45")) == 45


def test_the_operators_interval_is_where_backoff_begins() -> None:
    known = feed(poll_minutes_override=100, poll_minutes=20, last_fetch_failures=0.5)
    assert wait(after(known, attempt("read timeout"))) == 200


def test_the_next_poll_is_after_the_cache_lifetime() -> None:
    fresh = FeedAnswer(code=200, fresh_until=NOW + timedelta(hours=20))
    busy = rate.dump(Rate(stories=500, minutes=10_000, window=50))
    tried = attempt(document=document(), answer=fresh)
    assert wait(after(feed(rate=busy), tried, ItemCounts(added=5))) == 1200


def test_the_cache_lifetime_is_limited_by_an_option() -> None:
    fresh = FeedAnswer(code=200, fresh_until=NOW + timedelta(days=365))
    tried = attempt(document=document(), answer=fresh)
    columns = after(feed(), tried, ItemCounts(added=5), MAXIMUM_INTERVAL_MINS="600")
    assert wait(columns) == 600


# Overlap.


@each_row(
    ("window", "counts", "missed"),
    [
        (10, ItemCounts(added=10), 1),
        (10, ItemCounts(added=9, duplicates=1), 0),
        (10, ItemCounts(added=9, skipped=1), 0),
        (25, ItemCounts(added=10), 0),
        (0, ItemCounts(added=10), 0),
    ],
)
def test_a_full_window_of_new_stories_is_a_missed_poll(
    window: int, counts: ItemCounts, missed: int
) -> None:
    known = feed(rate=rate.dump(Rate(window=window)), missed_alarms=4)
    columns = after(known, attempt(document=document()), counts)
    assert columns["missed_alarms"] == 4 + missed


def test_a_missed_poll_shortens_the_interval_fast() -> None:
    known = feed(rate=rate.dump(Rate(minutes=20_000, window=10)))
    columns = after(known, attempt(document=document()), ItemCounts(added=10))
    assert wait(columns) <= 180


def test_a_feed_that_was_empty_has_no_missed_poll() -> None:
    columns = after(Feed(id=1), attempt(document=document()), ItemCounts(added=10))
    assert columns["missed_alarms"] == 0


# Failures.


def test_backoff_continues_until_a_success() -> None:
    known, found = feed(poll_minutes=10), []
    for _ in range(4):
        columns = after(known, attempt("read timeout"))
        known = feed(
            poll_minutes=10,
            last_fetch_failures=columns["last_fetch_failures"],
            rate=columns["rate"],
        )
        found.append(wait(columns))
    assert found == [10, 20, 40, 80]
    assert rate.load(success(known)["rate"]).backoff is None


def test_the_rate_survives_failures() -> None:
    known = Rate(stories=12, minutes=3000, window=25)
    columns = after(feed(rate=rate.dump(known)), attempt("read timeout"))
    found = rate.load(columns["rate"])
    assert (found.stories, found.window, found.backoff) == (12, 25, Backoff(0, 0.5))


def test_an_invalid_rate_is_replaced() -> None:
    assert wait(success(feed(rate="{]"))) >= 10
    assert wait(after(feed(rate="{]"), attempt("read timeout"))) == 360


@each_row(
    ("failures", "undead", "gives_up"),
    [(29.0, "0", True), (28.5, "0", False), (100.0, "1", False), (29.0, "1", False)],
)
def test_feeds_are_disabled_only_where_the_operator_wants_that(
    failures: float, undead: str, gives_up: bool
) -> None:
    known = feed(last_fetch_failures=failures)
    columns = after(known, attempt("HTTP 403 Forbidden"), UNDEAD_FEEDS=undead)
    assert (columns.get("system_enabled") is False) is gives_up
    assert (columns["next_fetch_attempt"] is None) is gives_up
    options = ScheduleOptions.of({"UNDEAD_FEEDS": undead})
    assert schedule.disabled(failures + 1, options) is gives_up


# What servers ask for.


@pytest.mark.parametrize("code", [404, 429, 503, 403])
@pytest.mark.parametrize("hours", [1, 25, 88])
@pytest.mark.parametrize("chance", [0.0, 0.5, 1.0])
def test_retry_after_is_obeyed_in_full(code: int, hours: float, chance: float) -> None:
    until = NOW + timedelta(hours=hours)
    columns = after(
        feed(poll_minutes=10, poll_minutes_override=10),
        http(code, retry_at=until),
        chance=chance,
        FEEDS_JITTER_PERCENT="10",
    )
    extra = timedelta(hours=chance) if code == 429 else timedelta()
    assert columns["next_fetch_attempt"] == until + extra


@pytest.mark.parametrize("seconds", [-3600, 0, 30])
def test_a_short_retry_after_has_no_effect(seconds: float) -> None:
    columns = after(feed(), http(503, retry_at=NOW + timedelta(seconds=seconds)))
    assert wait(columns) == 360


def test_an_absurd_retry_after_is_limited() -> None:
    columns = after(feed(), http(503, retry_at=datetime.max))
    assert wait(columns) == 366 * 1440


def test_polls_after_a_429_are_spread() -> None:
    waits = [wait(after(feed(), http(429), chance=chance)) for chance in (0.0, 0.5, 1.0)]
    assert waits == [360, 390, 420]


def test_a_feed_that_is_gone_is_polled_once_a_month() -> None:
    columns = after(feed(), http(410))
    assert (columns["gone_at"], wait(columns)) == (STARTED, 31 * 1440)


def test_a_gone_adopted_url_does_not_make_the_feed_gone() -> None:
    columns = after(feed(adopted_url="https://moved.example/feed"), http(410))
    assert (columns["gone_at"], wait(columns) <= 1440) == (None, True)


def test_a_gone_feed_stays_gone_until_a_success() -> None:
    gone = feed(gone_at=BEFORE, last_fetch_failures=1.0)
    columns = after(gone, attempt("read timeout"))
    assert (columns["gone_at"], wait(columns)) == (BEFORE, 31 * 1440)
    assert wait(success(gone)) <= 1440


@pytest.mark.parametrize(("chance", "factor"), [(0.0, 0.9), (0.5, 1.0), (1.0, 1.1)])
def test_jitter_is_around_the_interval(chance: float, factor: float) -> None:
    columns = success(feed(poll_minutes_override=200), chance, FEEDS_JITTER_PERCENT="10")
    assert wait(columns) == pytest.approx(200 * factor)
    known = feed(poll_minutes=200)
    failed = after(known, attempt("read timeout"), chance=chance, FEEDS_JITTER_PERCENT="10")
    assert wait(failed) == pytest.approx(200 * factor)


waits = st.lists(st.sampled_from(["read timeout", "bad URL", "temporary DNS error"]), min_size=2)
