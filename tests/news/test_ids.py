"""Ids and domains are those of the indexed years (docs/decisions/0002-document-ids.md)."""

import json
import socket
from collections.abc import Callable
from typing import Any

import pytest
import tldextract

from indexer.errors import ConfigurationError, Discard
from indexer.news import ids
from tests.paths import DATA

_DATA = DATA / "ids" / "golden.json"
GOLDEN: list[dict[str, Any]] = json.loads(_DATA.read_text(encoding="utf-8"))["urls"]


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: row["url"][:60])
def test_a_url_says_what_it_has_always_said(row: dict[str, Any]) -> None:
    url = row["url"]
    assert ids.normalize_url(url) == row["normalized_url"]
    assert ids.unique_url_hash(url) == row["unique_url_hash"]
    assert ids.is_homepage_url(url) is row["is_homepage_url"]
    assert ids.is_shortened_url(url) is row["is_shortened_url"]
    if row["canonical_domain"]:
        assert ids.canonical_domain(url) == row["canonical_domain"]


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("http://localhost:8000/story", "localhost"),
        ("https://www.alpha.example/story", "alpha.example"),
        ("https://News.Beta.Internal/story", "news.beta.internal"),
        ("http://[2001:db8::1]/story", "2001:db8::1"),
    ],
)
def test_a_host_under_no_public_suffix_is_its_own_domain(url: str, domain: str) -> None:
    assert ids.canonical_domain(url) == domain


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://[::1",
        "https://exa mple",
        "http://example.com:99999/",
        "http://example.com:port/",
        "http://example.com/\ud800",
        "http://xn--/",
        "http://exam\u2100ple.com/",
    ],
)
@pytest.mark.parametrize("question", [ids.normalize_url, ids.unique_url_hash, ids.canonical_domain])
def test_a_url_that_is_none_is_a_discard(question: Callable[[str], str], url: str) -> None:
    with pytest.raises(Discard) as end:
        question(url)
    assert end.value.status == "bad-url"


@pytest.mark.parametrize("version", ["1.4.3", "1.4.9"])
def test_the_release_of_url_normalize_that_made_the_ids_is_accepted(version: str) -> None:
    ids.check_version(version)


@pytest.mark.parametrize("version", ["1.3.3", "2.2.1", "3.0.0", "11.4.0"])
def test_another_release_of_url_normalize_is_refused(version: str) -> None:
    with pytest.raises(ConfigurationError, match=r"requirements\.txt"):
        ids.check_version(version)


def test_the_list_of_public_suffixes_is_not_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("it wants to go out")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    fresh = tldextract.tldextract.TLD_EXTRACTOR
    assert fresh.suffix_list_urls == ()
    fresh.update()
    assert ids.canonical_domain("https://www.somewhere-new.co.uk/") == "somewhere-new.co.uk"


@pytest.mark.parametrize(
    ("host", "answer"),
    [("twitter.com", True), ("m.youtube.com", True), ("nottwitter.com", False)],
)
def test_domains_that_give_no_stories(host: str, answer: bool) -> None:
    assert ids.is_non_news_domain(host) is answer
