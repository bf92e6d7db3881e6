"""A document that is far larger than its gzip."""

import gzip
import tracemalloc

import pytest

from indexer.errors import BadFeed
from indexer.feeds.reading.reading import document


def test_a_bomb_takes_no_more_memory_than_the_limit() -> None:
    bomb = gzip.compress(bytes(200_000_000), 9)
    tracemalloc.start()
    with pytest.raises(BadFeed):
        document(bomb, 1_000_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8_000_000
