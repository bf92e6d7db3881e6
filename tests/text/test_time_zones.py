"""The offsets of time zones by name."""

from datetime import datetime, timedelta

from indexer.text.time_zones import offset_of
from tests.each_row import each_row

NOON = datetime(2026, 11, 20, 12)


@each_row(
    ("zone", "minutes"),
    [
        ("", 0),
        (" gmt ", 0),
        ("-0000", 0),
        ("+05:45", 345),
        ("-0330", -210),
        ("+3", 180),
        ("+130", 90),
        ("+1600", 960),
        ("+2359", 1439),
        ("GMT-3", -180),
        ("UTC+05:30", 330),
        ("+0100 CET", 60),
        ("-0500 Eastern Standard Time", -300),
        ("CST", -360),
        ("NST", -210),
        ("ACST", 570),
        ("K", 0),
        ("ET.", -300),
        # Unknown
        ("IST", None),
        ("J", None),
        ("AB", None),
        ("+2400", None),
        ("+0060", None),
        ("+99999", None),
        ("Europe/Berlin", None),
    ],
)
def test_the_offset_of_a_zone(zone: str, minutes: int | None) -> None:
    expected = None if minutes is None else timedelta(minutes=minutes)
    assert offset_of(zone, NOON) == expected


@each_row(
    ("day", "hours"),
    [
        ("2026-03-08T01:59", -5),
        ("2026-03-08T03:00", -4),
        ("2026-11-01T01:59", -4),
        ("2026-11-01T02:00", -5),
        ("2015-03-07T12:00", -5),
        ("2015-03-08T12:00", -4),
        ("2006-03-31T12:00", -5),
        ("2006-04-02T12:00", -4),
        ("2006-10-28T12:00", -4),
        ("2006-10-29T12:00", -5),
    ],
)
def test_american_time_is_that_of_the_season(day: str, hours: int) -> None:
    assert offset_of("ET", datetime.fromisoformat(day)) == timedelta(hours=hours)
