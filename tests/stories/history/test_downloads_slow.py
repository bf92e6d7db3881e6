"""Pages that unpack to too much."""

import gzip
import tracemalloc
from pathlib import Path

import pytest

from indexer.errors import Discard
from tests.stories.history.test_downloads import (
    LIMIT,
    Store,
    get,
)


def test_of_a_bomb_no_more_is_unpacked_than_may_be(tmp_path: Path) -> None:
    bomb = gzip.compress(bytes(100_000_000))
    tracemalloc.start()
    try:
        with pytest.raises(Discard, match="oversized: more than 200000 bytes"):
            get(Store(tmp_path), bomb)
        assert tracemalloc.get_traced_memory()[1] < 10 * LIMIT
    finally:
        tracemalloc.stop()
