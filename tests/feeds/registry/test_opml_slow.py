"""OPML of very many outlines."""

from indexer.feeds.registry.feed_spec import FeedSpec
from tests.feeds.registry.test_opml import A, read


def test_outlines_that_are_not_closed_cost_no_memory_to_speak_of() -> None:
    text = '<outline text="x">' * 100_000 + f'<outline xmlUrl="{A}"/>'
    (found,) = read(text, 65_536)
    assert isinstance(found, FeedSpec)
    assert len(found.name) <= 500
