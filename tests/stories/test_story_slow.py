"""Stories of any text, and compression bombs."""

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from indexer.errors import DecodeError
from indexer.stories.story import MAX_PAGE_BYTES, RawHTML, RSSEntry, Story

text = st.text(st.characters(exclude_categories=["Cs"]))


@given(text, text, st.binary(max_size=2000))
def test_any_text_and_any_page_come_back(link: str, title: str, html: bytes) -> None:
    story = Story(rss_entry=RSSEntry(link=link, title=title), raw_html=RawHTML(html=html))
    assert Story.load(story.dump()) == story


def test_a_page_that_unpacks_to_too_much_is_refused() -> None:
    bomb = zstandard.ZstdCompressor().compress(bytes(MAX_PAGE_BYTES + 1))
    head = Story(raw_html=RawHTML(html=b"")).dump().partition(b"\n")[0]
    with pytest.raises(DecodeError, match="unpacks to"):
        Story.load(head + b"\n" + bomb)
