"""Metrics are declared once, and sent to all attached sinks."""

import math
from datetime import UTC, date, datetime

import pytest

from indexer.metrics import attached, counter, day_number, declared, gauge, timer
from tests.metrics.sinks import DAY, DEPTH, FETCH, FILES, PAIR, Heard


def test_values_go_to_every_sink() -> None:
    one, other = Heard(), Heard()
    with attached(one), attached(other):
        FILES.add(status="success")
        DEPTH.set(3, name="parser-in")
        FETCH.observe(0.25)
        DAY.observe(20260115)
    assert one.numbers == other.numbers
    assert one.numbers == [
        ("test.files", 1, ("success",)),
        ("test.depth", 3, ("parser-in",)),
        ("test.fetch-time", 0.25, ()),
        ("test.day", 20260115, ()),
    ]


def test_values_before_and_after_the_attachment_are_dropped() -> None:
    heard = Heard()
    FILES.add(status="success")
    with attached(heard):
        pass
    FILES.add(status="success")
    assert heard.numbers == []


def test_labels_go_by_their_names_in_alphabetical_order() -> None:
    heard = Heard()
    with attached(heard):
        PAIR.add(b="2", a="1")
    assert heard.numbers == [("test.pair", 1, ("1", "2"))]


@pytest.mark.parametrize("labels", [{}, {"stat": "x"}, {"status": "x", "other": "y"}])
def test_undeclared_labels_are_errors_even_without_a_sink(
    labels: dict[str, str],
) -> None:
    with pytest.raises(ValueError, match="has the labels"):
        FILES.add(**labels)


def test_a_counter_never_goes_down() -> None:
    with pytest.raises(ValueError, match="is a counter"):
        FILES.add(-1, status="success")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_values_that_are_not_finite_are_not_sent(value: float) -> None:
    heard = Heard()
    with attached(heard):
        FETCH.observe(value)
    assert heard.numbers == []


def test_a_forgotten_gauge_is_removed_from_every_sink() -> None:
    heard = Heard()
    with attached(heard):
        DEPTH.forget(name="gone-in")
    assert heard.forgotten == [("test.depth", ("gone-in",))]


def test_a_timing_is_recorded_however_it_ends() -> None:
    heard = Heard()

    def fail() -> None:
        with FETCH.timing():
            raise ValueError("x")

    with attached(heard), pytest.raises(ValueError, match="x"):
        fail()
    assert [(name, seconds >= 0) for name, seconds, _ in heard.numbers] == [
        ("test.fetch-time", True)
    ]


def test_the_same_declaration_twice_is_one_metric() -> None:
    first = counter("test.twice", "of a test", "b", "a")
    assert counter("test.twice", "of a test", "a", "b") is first
    assert first in declared()


def test_a_name_that_means_two_things_is_refused() -> None:
    timer("test.taken", "of a test")
    with pytest.raises(ValueError, match="declared twice"):
        gauge("test.taken", "of a test")


@pytest.mark.parametrize(
    ("day", "number"),
    [
        (date(2026, 1, 5), 20260105),
        (datetime(2026, 12, 31, 23, 59, tzinfo=UTC), 20261231),
        (None, 0),
    ],
)
def test_a_day_is_a_number_that_people_can_read(day: date | None, number: int) -> None:
    assert day_number(day) == number
