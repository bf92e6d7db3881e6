"""Hostile beginnings of pages."""

import time

import pytest

from indexer.stories.queuers.input_kinds import is_feed


@pytest.mark.parametrize("piece", ["<", "<!--", "<?", "<! ", "<!-- -->", "< rss"])
def test_a_hostile_beginning_takes_no_time(piece: str) -> None:
    """Looking for an end that isn't there, again and again, would take minutes."""
    started = time.process_time()
    assert not is_feed(piece * 300_000)
    assert time.process_time() - started < 10
