"""Schedules of random attempts."""

from datetime import timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from indexer.feeds.attempt import (
    WORKING,
    FeedAnswer,
    ItemCounts,
)
from indexer.feeds.polling import schedule
from indexer.feeds.polling.schedule_options import ScheduleOptions
from tests.feeds.polling.test_schedule import (
    NOW,
    STARTED,
    STEADY,
    after,
    attempt,
    feed,
    wait,
    waits,
)
from tests.feeds.polls import document, minutes


def test_the_interval_does_not_swing() -> None:
    """The interval of a steady feed settles, although polls find none or two new stories."""
    known, found = feed(poll_minutes=360), []
    for n in range(200):
        started = STARTED + n * minutes(360)
        tried = attempt(document=document())
        tried.started = started
        counts = ItemCounts(added=(0, 1, 2, 1)[n % 4], duplicates=8)
        columns = schedule.after(
            known, tried, counts, started, ScheduleOptions.of(STEADY), lambda: 0.5
        )
        known = feed(rate=columns["rate"], last_parse_success=started)
        found.append(columns["poll_minutes"])
    assert max(found[100:]) < 2 * min(found[100:])


@given(
    chance=st.floats(0, 1),
    jitter=st.floats(0, 50),
    override=st.integers(1, 50_000) | st.none(),
    retry=st.floats(-10, 200) | st.none(),
    fresh=st.floats(-10, 200) | st.none(),
    status=st.sampled_from([WORKING, "HTTP 429 x", "HTTP 503 x", "HTTP 410 x"]),
)
def test_never_before_the_minimum_nor_a_retry_after(
    *,
    chance: float,
    jitter: float,
    override: int | None,
    retry: float | None,
    fresh: float | None,
    status: str,
) -> None:
    answer = FeedAnswer(code=200 if status == WORKING else int(status.split()[1]))
    answer.retry_at = None if retry is None else NOW + timedelta(hours=retry)
    answer.fresh_until = None if fresh is None else NOW + timedelta(hours=fresh)
    tried = attempt(status, answer=answer)
    counts = None
    if status == WORKING:
        tried.document, counts = document(), ItemCounts(added=10)
    known = feed(poll_minutes_override=override)
    columns = after(known, tried, counts, chance, FEEDS_JITTER_PERCENT=str(jitter))
    assert wait(columns) >= 10
    assert answer.retry_at is None or columns["next_fetch_attempt"] >= answer.retry_at


@given(statuses=waits, base=st.integers(10, 3000), chances=st.randoms(use_true_random=False))
def test_with_jitter_no_wait_is_more_than_twice_the_one_before(
    statuses: list[str], base: int, chances: Any
) -> None:
    known, last = feed(poll_minutes=base), None
    for status in statuses:
        columns = after(known, attempt(status), chance=chances.random(), FEEDS_JITTER_PERCENT="10")
        found = wait(columns)
        assert last is None or last * 0.999 <= found <= 2 * last * 1.001
        last = found
        failures = columns["last_fetch_failures"]
        known = feed(poll_minutes=base, last_fetch_failures=failures, rate=columns["rate"])
