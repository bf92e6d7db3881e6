"""Long responses: parts, places, and the end of their source."""

import threading
from collections.abc import Iterator

import pytest
from fastapi import HTTPException

from indexer.programs.streaming import CHUNK_BYTES, begun, joined, placed


def test_pieces_are_the_same_bytes() -> None:
    parts = [b"%d," % number for number in range(50_000)]
    pieces = list(joined(parts))
    assert b"".join(pieces) == b"".join(parts)
    assert 2 < len(pieces) < 10
    assert max(map(len, pieces)) < CHUNK_BYTES + 100


def test_what_fails_fails_before_the_answer_begins() -> None:
    def failing() -> Iterator[int]:
        raise ValueError("at once")
        yield 1

    with pytest.raises(ValueError, match="at once"):
        begun(failing())
    assert list(begun(iter([1, 2, 3]))) == [1, 2, 3]
    assert list(begun(iter([]))) == []


def test_a_place_is_free_again_when_the_rows_end_or_are_let_go_of() -> None:
    places = threading.BoundedSemaphore(1)
    rows = placed([1, 2], places)
    assert next(rows) == 1
    with pytest.raises(HTTPException) as raised:
        next(placed([1], places))
    assert (raised.value.status_code, raised.value.headers) == (503, {"Retry-After": "5"})
    rows.close()
    assert list(placed([1, 2], places)) == [1, 2]
    assert list(placed([3], places)) == [3]
