"""Decompression bombs."""

import gzip
import io
import tracemalloc

import pytest

from indexer.errors import InputError
from indexer.text.unpacking import some, unpacked


def test_a_bomb_stops_at_the_limit_in_little_memory() -> None:
    bomb = gzip.compress(bytes(50_000_000))
    tracemalloc.start()
    with unpacked("bomb", io.BytesIO(bomb), 10_000_000) as file:
        with pytest.raises(InputError, match="bomb: it is larger than the limit"):
            sum(len(more) for more in iter(lambda: some(file, 1 << 16), b""))
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()
