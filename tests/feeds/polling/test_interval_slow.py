"""Intervals of random rates."""

from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from indexer.feeds.polling.rate import Rate
from tests.feeds.polling.test_interval import minutes

numbers = st.floats(0, 1e9)


@given(
    stories=numbers,
    time=numbers,
    lately=numbers,
    window=st.integers(0, 50_000),
    limit=st.floats(1, 1e6) | st.none(),
    hours=st.lists(st.floats(0, 1e6), min_size=24, max_size=24),
    hint=st.integers(1, 1440) | st.none(),
    now=st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1)),
)
def test_every_interval_is_within_the_limits(
    *,
    stories: float,
    time: float,
    lately: float,
    window: int,
    limit: float | None,
    hours: list[float],
    hint: int | None,
    now: datetime,
) -> None:
    rate = Rate(
        stories=stories, minutes=time, lately=lately, window=window, limit=limit, hours=hours
    )
    assert 10 <= minutes(rate, hint, now) <= 1440
