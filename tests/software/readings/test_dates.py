"""Dates in the spellings of manifests."""

from indexer.software.readings.dates import dates
from indexer.software.syntax.tree import Tree
from tests.each_row import each_row
from tests.software.readings.reading import reading


@each_row(
    ("value", "expected"),
    [
        ("2020-01-02", "2020-01-02"),
        ("2020-1-2", "2020-01-02"),
        ("20200102", "2020-01-02"),
        ("2020-02", "2020-02"),
        ("2020", "2020"),
        (2020, "2020"),
        ("2020-02-29", "2020-02-29"),
        ("2020-01-02T03:04:05Z", "2020-01-02T03:04:05Z"),
        ("2020-01-02 03:04:05.678 +0100", "2020-01-02 03:04:05.678 +0100"),
        ("2020-01-02T03:04", "2020-01-02T03:04"),
    ],
)
def test_a_date_of_iso_8601_is_a_date(value: Tree, expected: str) -> None:
    assert reading(dates, value) == ([expected], ["/k"], [])


@each_row(
    "text",
    [
        *("2021-02-29", "2020-13-01", "2020-00-01", "0000-01-01", "2020-01-02T25:00"),
        *("January 2020", "02/01/2020", "2020-W01", "today", "2020-01-02T", "²020", "2020-1234"),
    ],
)
def test_another_text_is_a_literal_with_a_diagnostic(text: str) -> None:
    found = reading(dates, text)
    assert found.values == [{"@value": text}]
    assert [each.raw for each in found.diagnostics] == [text]


@each_row(("value", "diagnosed"), [(None, 0), ("", 0), ({}, 1), (True, 1)])
def test_what_is_no_text_is_no_date(value: Tree, diagnosed: int) -> None:
    found = reading(dates, value)
    assert found.values == []
    assert len(found.diagnostics) == diagnosed
