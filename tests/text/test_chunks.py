"""Splitting sequences into lists."""

from indexer.text.chunks import chunks
from tests.each_row import each_row


@each_row(("count", "found"), [(0, []), (1, [[0]]), (3, [[0, 1, 2]]), (5, [[0, 1, 2], [3, 4]])])
def test_all_are_there_in_order_and_only_the_last_is_shorter(
    count: int, found: list[list[int]]
) -> None:
    assert list(chunks(range(count), 3)) == found


def test_no_more_is_taken_than_is_asked_for() -> None:
    items = iter(range(10))
    assert next(chunks(items, 4)) == [0, 1, 2, 3]
    assert next(items) == 4
