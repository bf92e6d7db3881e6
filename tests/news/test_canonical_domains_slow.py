"""The site of any text."""

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from indexer.errors import Discard
from indexer.news.canonical_domains import canonical_domain, is_non_news
from tests.feeds.properties import patient
from tests.news.test_canonical_domains import domain_for_feeds


@patient
@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    for url in (text, f"https://{text}"):
        domain_for_feeds(url)
        with suppress(Discard):
            canonical_domain(url)
    assert is_non_news(text) in (True, False)
