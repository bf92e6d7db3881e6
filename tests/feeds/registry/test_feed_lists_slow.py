"""A long list in a damaged file."""

import gzip
import io

import pytest

from indexer.errors import InputError
from indexer.feeds.registry.feed_lists import read_list
from indexer.feeds.registry.feed_spec import FeedProblem, FeedSpec
from indexer.text.unpacking import unpacked


def test_a_list_that_breaks_off_gives_what_came_before() -> None:
    whole = gzip.compress("".join(f"https://a.example/{n}\n" for n in range(50_000)).encode())
    found: list[FeedSpec | FeedProblem] = []
    with unpacked("list.gz", io.BytesIO(whole[:-2000]), 1 << 30) as file:
        rest = read_list("list.gz", file)
        with pytest.raises(InputError, match="cut off"):
            found.extend(rest)
    assert len(found) > 10_000
