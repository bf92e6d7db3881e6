"""Answers of the processes that extract, as the parser sees them."""

import time

import pytest

from indexer.errors import Discard, Quarantine
from indexer.stories.extraction.extractor import Extractor, FetchedPage
from tests.stories.extraction.in_process import in_process
from tests.stories.pages import article

__all__ = ["in_process"]


def page(html: bytes) -> FetchedPage:
    """A page of that content."""
    return FetchedPage(url="https://www.example.com/2024/a-story.html", html=html, now=time.time())


def test_a_story_comes_as_what_it_is() -> None:
    found = Extractor().extract(page(f"<article><p>{article()}</p></article>".encode()))
    assert found.metadata.text_extraction_method == "trafilatura"


def test_a_refusal_comes_as_what_it_is() -> None:
    with pytest.raises(Discard) as discard:
        Extractor().extract(page(b"<rss>"))
    assert (discard.value.status, discard.value.why) == ("feed", "a feed or sitemap, not a page")
    with pytest.raises(Quarantine) as quarantine:
        Extractor().extract(page(bytes(range(1, 32)) * 99))
    assert quarantine.value.status == "no-decode"
