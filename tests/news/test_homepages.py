"""Homepages (stories.md 7.1)."""

import pytest

from indexer.errors import Discard
from indexer.news.homepages import HomepageRule, is_front_page_path, is_homepage
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
