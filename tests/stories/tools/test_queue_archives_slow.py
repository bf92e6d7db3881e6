"""Dumps of any story: hypothesis makes them."""

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from indexer.messages.message import Delivery
from indexer.stories.story import ContentMetadata, HTTPMetadata, RawHTML, RSSEntry, Story
from indexer.text.cleaning import clean
from tests.stories.tools.test_queue_archives import queued

# Stories hold no control characters: the decoder of pages removes them, and the reader of archives.
text = st.none() | st.text(st.characters(codec="utf-8"), max_size=20).map(clean)
number = st.none() | st.integers(-(2**63), 2**63 - 1)
seconds = st.none() | st.floats(allow_nan=False, allow_infinity=False)


def some(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Objects with arbitrary values in their fields."""
    by_type = {"str": text, "int": number, "float": seconds, "bool": st.none() | st.booleans()}
    fields = {
        each.name: by_type[str(each.type).split(" |")[0]] for each in msgspec.structs.fields(kind)
    }
    return st.builds(kind, **fields)


stories = st.builds(
    Story,
    rss_entry=some(RSSEntry),
    http_metadata=some(HTTPMetadata),
    content_metadata=some(ContentMetadata),
    raw_html=st.builds(RawHTML, html=st.none() | st.binary(max_size=50), encoding=text),
)


@given(stories)
def test_any_story_becomes_again_what_it_was_byte_for_byte(story: Story) -> None:
    body = story.dump()
    assert queued(Delivery(1, body, "parser-in")).body == body
