"""Tests of the Retry-After header."""

import pytest

from indexer.http.politeness import retry_after
from indexer.http.politeness.retry_after import MAX_SECONDS
from tests.each_row import each_row

NOW = 1_445_412_420.0  # Wed, 21 Oct 2015 07:27:00 GMT


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
    assert retry_after(value, NOW) == seconds


@pytest.mark.parametrize("value", ["316800", "Sat, 24 Oct 2015 23:27:00 GMT"])
def test_a_caller_may_allow_a_longer_pause(value: str) -> None:
    assert retry_after(value, NOW, longest=2_592_000.0) == pytest.approx(316_800.0)
    assert retry_after(value, NOW, longest=60.0) == 60.0
