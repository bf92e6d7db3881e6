"""Dates in queries and documents."""

from datetime import datetime

from indexer.search.language.dates import day, moment, period, written
from indexer.search.language.schema import FieldType
from tests.each_row import each_row

DATE, TIMESTAMP = FieldType.DATE, FieldType.TIMESTAMP


@each_row(
    ("text", "start", "end"),
    [
        ("2024", datetime(2024, 1, 1), datetime(2025, 1, 1)),
        ("2024-12", datetime(2024, 12, 1), datetime(2025, 1, 1)),
        ("2024-2", datetime(2024, 2, 1), datetime(2024, 3, 1)),
        ("2024-02-29", datetime(2024, 2, 29), datetime(2024, 3, 1)),
        ("9999", datetime(9999, 1, 1), None),
        ("9999-12", datetime(9999, 12, 1), None),
        ("9999-12-31", datetime(9999, 12, 31), None),
        ("0001-01-01", datetime(1, 1, 1), datetime(1, 1, 2)),
        ("2024-01-01T10:30", datetime(2024, 1, 1, 10, 30), datetime(2024, 1, 1, 10, 30, 1)),
        ("2024-01-01T10:30:00+02:00", datetime(2024, 1, 1, 8, 30), datetime(2024, 1, 1, 8, 30, 1)),
        (
            "2024-01-01T10:30:00.000001Z",
            datetime(2024, 1, 1, 10, 30, 0, 1),
            datetime(2024, 1, 1, 10, 30, 0, 2),
        ),
    ],
)
def test_a_date_covers(text: str, start: datetime, end: datetime | None) -> None:
    found = period(text)
    assert found
    assert (found.start, found.end) == (start, end)


@each_row(
    "text",
    ["", "x", "0000", "2023-02-29", "2024-13", "24-01-01", "2024-01-01 10:30", "٢٠٢٤", "1T", "T"],
)
def test_other_texts_are_not_dates(text: str) -> None:
    assert period(text) is None


@each_row(
    ("text", "found"),
    [
        ("2024-02-29", "2024-02-29"),
        ("2023-02-29", None),
        ("2024-2-29", None),
        ("2024-02-29T00:00:00", None),
        ("20240229", None),
        ("", None),
        (None, None),
    ],
)
def test_a_day_is_written_one_way(text: str | None, found: str | None) -> None:
    assert day(text) == found


@each_row(
    ("text", "found"),
    [
        ("2024-01-02T03:04:05.678901", "2024-01-02T03:04:05.678901"),
        ("2024-01-02 03:04:05", "2024-01-02T03:04:05.000000"),
        ("2024-01-02T23:04:05-05:00", "2024-01-03T04:04:05.000000"),
        ("0001-01-01T00:00:00+01:00", None),
        ("soon", None),
        ("", None),
    ],
)
def test_a_moment_is_in_utc(text: str, found: str | None) -> None:
    assert moment(text) == found


def test_bounds_are_written_as_the_fields_are() -> None:
    time = datetime(2024, 1, 2, 3, 4, 5)
    assert written(time, DATE) == "2024-01-02"
    assert written(time, TIMESTAMP) == "2024-01-02T03:04:05.000000"
    assert written(datetime.min, DATE) == "0001-01-01"


def test_bounds_of_nanoseconds_stay_where_nanoseconds_can_be() -> None:
    assert written(datetime.min, TIMESTAMP) == "1970-01-01T00:00:00.000000"
    assert written(datetime.max, TIMESTAMP) == "2262-01-01T00:00:00.000000"
