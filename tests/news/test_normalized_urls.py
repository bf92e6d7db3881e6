"""The normalised URL is that of the indexed years: `mcmetadata` with url-normalize 1.4.3."""

import logging

import pytest

from indexer.news.normalized_urls import _LABEL, library_urls, normalize_url, normalized_url
from tests.each_row import each_row
from tests.news.golden import GOLDEN, NORMALIZED

PLAIN = [
    "https://www.example.com/2024/05/14/a-long-story/",
    "https://www.example.com/news/story-12345.html?utm_source=rss&utm_medium=feed",
    "http://example.co.in/%e0%a4%95%e0%a4%96-%e0%a4%97/?id=7#top",
]


# All rows take two seconds: test_normalized_urls_slow.py.
@each_row(("url", "normalized"), NORMALIZED[::20])
def test_a_url_is_normalised_as_it_has_always_been(
    caplog: pytest.LogCaptureFixture, url: str, normalized: str | None
) -> None:
    # The library logs URLs with lone surrogates, which pytest-xdist can't transfer.
    caplog.set_level(logging.CRITICAL, "_mcmetadata.urls")
    assert normalized_url(url) == normalized


@each_row("row", GOLDEN)
def test_the_normalised_url_is_the_column_of_indexed_stories(row: dict[str, str]) -> None:
    assert normalize_url(row["url"]) == row["normalized_url"]


@each_row("url", ["", "http://[::1", "http://example.com:port/", "http://a/\ud800"])
def test_a_url_that_can_not_be_normalised_has_none(url: str) -> None:
    assert normalized_url(url) is None


def test_the_labels_that_are_removed_are_those_of_the_library() -> None:
    assert f"^{_LABEL.pattern}" == library_urls().another_url_pattern.pattern


# One for each rule that the library has for single sites, and two that only look like one.
OF_SINGLE_SITES = [
    "https://archive.is/a/b1c2/http/site.example/story",
    "https://www.youtube.com/watch/story",
    "http://543.r2.ly/abc",
    "http://pron123.podomatic.com/entry/one",
    "https://www.facebook.com/page/posts?fref=nf",
    "https://www.nytimes.com/2026/11/22/story?smid=tw",
    "https://a-writer.livejournal.com/123.html?thread=4",
    "https://news.google.co.uk/story?gws_rd=cr",
    "https://www.site.example/story?nk=0a1b",
    "https://www.site.example/story?a-utm_source=b",
    "https://www.youtubed.example/story",
    "https://www.site.example/archive/google?id=1",
]


@each_row("url", OF_SINGLE_SITES)
def test_a_rule_for_a_single_site_is_that_of_the_library(url: str) -> None:
    assert normalize_url(url) == library_urls().normalize_url(url)
