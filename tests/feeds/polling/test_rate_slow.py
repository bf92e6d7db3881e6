"""Rates of random polls."""

from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from indexer.feeds.polling import rate
from indexer.feeds.polling.rate import News
from tests.feeds.polling.test_rate import learned


@given(st.text())
def test_loading_never_fails(text: str) -> None:
    rate.load(text)


moments = st.datetimes(datetime(1970, 1, 2), datetime(2100, 1, 1))


@given(
    since=moments | st.none(),
    until=moments,
    stories=st.integers(0, 2000),
    dates=st.lists(moments, max_size=30),
    missed=st.booleans(),
)
def test_every_learned_rate_can_be_dumped_and_loaded(
    since: datetime | None,
    until: datetime,
    stories: int,
    dates: list[datetime],
    missed: bool,
) -> None:
    found = learned(News(since, until, stories, dates, stories, missed))
    assert rate.load(rate.dump(found)).window == stories
