"""Large tables."""

from indexer.text.tables.rows import (
    UNCLOSED,
)
from tests.text.tables.test_rows import A, cells


def test_many_open_quotes_take_little_time() -> None:
    lines = [f'{A},"open, number {number}' for number in range(2001)]
    assert sum(cell == UNCLOSED for cell in cells(*lines)) > 1000
