"""Homepages (stories.md 7.1)."""

import pytest
from furl import furl

from indexer.errors import Discard
from indexer.news.homepages import (
    HomepageRule,
    is_front_page_path,
    is_homepage,
    is_homepage_url,
    is_shortened_url,
)
from indexer.news.mcmetadata import library
from indexer.news.normalized_urls import library_urls
from tests.each_row import each_row


@each_row(
    ("path", "strict", "mcmetadata"),
    [
        ("", True, True),
        ("/", True, True),
        ("///", True, True),
        ("/index.html", True, False),
        ("/index.php", True, False),
        ("/default.aspx", True, False),
        ("/en/", True, True),
        ("/US", True, True),
        ("/pt-br/home", True, True),
        ("/?utm_source=newsletter", True, True),
        # Stories that the library takes for homepages.
        ("/news/trump-wins", False, True),
        ("/trends/explore", False, True),
        ("/?p=12345", False, True),
        ("/index.php?id=3", False, False),
        ("/2024/05/14/a-story.html", False, False),
        ("/oKyFAMiZMbU", False, False),
    ],
)
def test_a_homepage_by_each_rule(path: str, strict: bool, mcmetadata: bool) -> None:
    url = f"https://www.example.com{path}"
    assert is_homepage(url) is strict
    assert is_homepage(url, HomepageRule.MCMETADATA) is mcmetadata
    assert not is_homepage(url, HomepageRule.OFF)


def test_a_text_that_is_no_url_is_a_discard() -> None:
    with pytest.raises(Discard, match="bad-url"):
        is_homepage("http://[::1")


@each_row(
    ("path", "answer"),
    [("", True), ("/en/index.html", True), ("/" * 10_000, True), ("/news/a", False)],
)
def test_paths_of_front_pages(path: str, answer: bool) -> None:
    assert is_front_page_path(path) is answer


def test_a_url_is_parsed_once_for_all_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def counted(url: str) -> furl:
        parsed.append(url)
        return furl(url)

    monkeypatch.setattr(library_urls(), "furl", counted)
    url = "https://www.example.com/2026/a%20story-that-is-parsed-once.html"
    assert (is_homepage_url(url), is_shortened_url(url)) == (False, False)
    assert parsed == [url]


@each_row(
    "url",
    [
        *("https://www.example.com", "http://a.example/", "https://a.example/News/a-b_c~d.html"),
        *("https://a.example/a/?x=1&y=2", "https://bit.ly/3xYz", "https://A.example/EN"),
        *("https://a.example/a//b", "https://a.example/a%20b", "https://a.example/ä?q=ö"),
        *("https://user@a.example/a", "https://a.example:8080/", "https://a.example/#top"),
        *("https://a.example/./a", "https://a.example/../", "https://a.example/a;b", "//a.example"),
    ],
)
def test_the_answers_are_those_of_the_library(url: str) -> None:
    urls = library("urls")
    assert is_homepage_url(url) == urls.is_homepage_url(url)
    assert is_shortened_url(url) == urls.is_shortened_url(url)
