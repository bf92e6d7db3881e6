"""The interval that a feed publishes (feeds.md 5.6)."""

import pytest

from indexer.feeds.reading.markup_reading import update_minutes
from indexer.news.syndication.feed_markup import MarkupItem
from tests.each_row import each_row

PERIOD, FREQUENCY, TTL = "sy:updateperiod", "sy:updatefrequency", "ttl"


@each_row(
    ("period", "frequency", "minutes"),
    [
        ("hourly", None, 60),
        ("hourly", "2", 30),
        ("hourly", "0.1", 600),
        ("always", None, 60),
        ("daily", None, 1440),
        ("dayly", "2", 720),
        ("weekly", None, 1440),
        ("weekly", "14", 720),
        ("monthly", "60", 720),
        ("yearly", None, 1440),
        ("yearly", "730", 720),
        ("", None, 1440),
        (" \n", "4", 360),
        ("  Hourly\n", None, 60),
        ("HOURLY", " 3 ", 20),
        ("hourly", "60", 1),
        ("hourly", "200", 360),
        ("hourly", "0", None),
        ("hourly", "-1", None),
        ("hourly", "often", None),
        ("hourly", "", None),
        ("hourly", "nan", None),
        ("hourly", "inf", None),
        ("hourly", "1e-300", 1440),
        ("sometimes", None, None),
        (None, "2", None),
        (None, None, None),
    ],
)
def test_the_syndication_module(
    period: str | None, frequency: str | None, minutes: int | None
) -> None:
    said = {PERIOD: period, FREQUENCY: frequency}
    texts = {name: text for name, text in said.items() if text is not None}
    assert update_minutes(MarkupItem(texts)) == minutes


@each_row(
    ("ttl", "minutes"),
    [
        ("60", 60),
        (" 60\n", 60),
        ("60.0", 60),
        ("1", 1),
        ("100000", 1440),
        ("9" * 400, None),
        ("0", None),
        ("0.2", None),
        ("-5", None),
        ("an hour", None),
        ("", None),
    ],
)
def test_ttl_where_there_is_no_syndication_module(ttl: str, minutes: int | None) -> None:
    assert update_minutes(MarkupItem({TTL: ttl})) == minutes


@pytest.mark.parametrize(("period", "minutes"), [("hourly", 60), ("sometimes", None)])
def test_the_syndication_module_comes_first(period: str, minutes: int | None) -> None:
    assert update_minutes(MarkupItem({PERIOD: period, TTL: "5"})) == minutes


def test_the_cap_is_the_operators() -> None:
    assert update_minutes(MarkupItem({PERIOD: "weekly"}), maximum=3000) == 3000
