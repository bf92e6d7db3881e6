"""Ids and domains are those of the indexed years (docs/decisions/0002-document-ids.md)."""

from collections.abc import Callable
from typing import Any

import pytest

from indexer.errors import Discard
from indexer.news.canonical_domains import canonical_domain
from indexer.news.homepages import is_homepage_url, is_shortened_url
from indexer.news.normalized_urls import normalize_url, unique_url_hash
from tests.each_row import each_row
from tests.news.golden import GOLDEN


@each_row("row", GOLDEN)
def test_the_id_and_the_kind_of_a_url_never_change(row: dict[str, Any]) -> None:
    url = row["url"]
    assert unique_url_hash(url) == row["unique_url_hash"]
    assert is_homepage_url(url) is row["is_homepage_url"]
    assert is_shortened_url(url) is row["is_shortened_url"]
    if row["canonical_domain"]:
        assert canonical_domain(url) == row["canonical_domain"]


@each_row(
    ("url", "domain"),
    [
        ("http://localhost:8000/story", "localhost"),
        ("https://www.alpha.example/story", "alpha.example"),
        ("https://News.Beta.Internal/story", "news.beta.internal"),
        ("http://[2001:db8::1]/story", "2001:db8::1"),
    ],
)
def test_a_host_under_no_public_suffix_is_its_own_domain(url: str, domain: str) -> None:
    assert canonical_domain(url) == domain


BROKEN = [
    "",
    "http://[::1",
    "https://exa mple",
    "http://example.com:99999/",
    "http://example.com:port/",
    "http://example.com/\ud800",
    "http://xn--/",
    "http://exam\u2100ple.com/",
]


@pytest.mark.parametrize("question", [normalize_url, unique_url_hash, canonical_domain])
@each_row("url", BROKEN)
def test_a_text_that_is_no_url_is_a_discard(question: Callable[[str], str], url: str) -> None:
    with pytest.raises(Discard) as end:
        question(url)
    assert end.value.status == "bad-url"
