"""Tables in one test: each row is tried, and each that fails is shown."""

from pathlib import Path

import pytest

from tests.each_row import each_row


@each_row(("number", "square"), [(1, 1), (2, 4)])
def test_rows_are_values_of_parameters_beside_fixtures(
    number: int, square: int, tmp_path: Path
) -> None:
    assert tmp_path.exists()
    assert number**2 == square


def test_all_rows_are_tried_and_those_that_fail_are_named() -> None:
    seen: list[int] = []

    @each_row("number", [1, 2, 3])
    def odd(number: int) -> None:
        seen.append(number)
        if number == 2:
            pytest.fail("even")
        assert number == 1

    with pytest.raises(BaseExceptionGroup, match="2 of 3 rows fail") as raised:
        odd()
    assert seen == [1, 2, 3]
    assert [error.__notes__ for error in raised.value.exceptions] == [["row: 2"], ["row: 3"]]


def test_a_table_without_rows_fails() -> None:
    with pytest.raises(AssertionError, match="no rows"):
        each_row("number", [])(lambda number: None)()
