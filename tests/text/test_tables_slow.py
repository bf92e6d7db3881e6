"""Large tables."""

from indexer.text.tables import (
    UNCLOSED,
)
from tests.text.test_tables import A, cells


def test_many_open_quotes_take_little_time() -> None:
    lines = [f'{A},"open, number {number}' for number in range(2001)]
    assert sum(cell == UNCLOSED for cell in cells(*lines)) > 1000
