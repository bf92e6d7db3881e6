"""Tests of the checks of a story's URL."""

import pytest

from indexer.errors import Discard
from indexer.http.urls.addresses import PUBLIC, AddressPolicy
from indexer.stories.fetching.links import LinkFilter, LinkOptions, check_url
from tests.each_row import each_row

REFUSED = [
    (None, "no-url"),
    ("", "no-url"),
    ("http://[", "bad-url"),
    ("http://a\x00b.com/", "bad-url"),
    ("http://user:secret@example.com/", "bad-url"),
    ("http:///story", "no-host"),
    ("ftp://example.com/story", "bad-scheme"),
    ("example.com/story", "bad-scheme"),
    ("http://localhost/", "bad-host"),
    ("http://LOCALHOST./", "bad-host"),
    ("http://www.localhost/", "bad-host"),
    ("http://127.0.0.1/", "bad-host"),
    ("http://127.1:8080/", "bad-host"),
    ("http://0x7f.1/", "bad-host"),
    ("http://2130706433/", "bad-host"),
    ("http://[::1]/", "bad-host"),
    ("http://10.0.0.1/", "bad-host"),
    ("http://169.254.169.254/latest/meta-data", "bad-host"),
    ("http://[::ffff:169.254.169.254]/", "bad-host"),
    ("http://0.0.0.0/", "bad-host"),
    ("https://www.youtube.com/watch?v=1", "non-news"),
    ("https://EN.wikipedia.org./wiki/News", "non-news"),
    ("https://twitter.com/somebody", "non-news"),
]


@each_row(("url", "status"), REFUSED)
def test_a_url_that_can_be_no_story_is_dropped_with_a_status(url: str | None, status: str) -> None:
    with pytest.raises(Discard) as dropped:
        check_url(url)

    assert dropped.value.status == status
    assert dropped.value.why
    assert "secret" not in dropped.value.why


@each_row(
    "url",
    [
        "https://example.com/2024/story.html",
        "http://notyoutube.com/",
        "http://8.8.8.8/story",
        "http://пример.рф/новости",
        "HTTP://EXAMPLE.COM:8080/a?b=c#d",
    ],
)
def test_any_other_url_may_be_a_story(url: str) -> None:
    check_url(url)


def test_an_operator_may_name_more_domains_without_news() -> None:
    skip = LinkOptions(skip_domains=["Shop.example", ".ads.example."]).skip_domains

    for url in ("https://shop.example/a", "https://www.shop.example/", "http://x.ads.example/"):
        with pytest.raises(Discard, match="non-news"):
            check_url(url, skip)
    check_url("https://workshop.example/a", skip)


def test_an_operator_may_allow_addresses() -> None:
    policy = AddressPolicy(["127.0.0.0/8"])

    check_url("http://127.0.0.9:8000/a", addresses=policy)
    check_url("http://localhost/a", addresses=policy)
    with pytest.raises(Discard, match="bad-host"):
        check_url("http://10.0.0.1/", addresses=policy)


@each_row(
    ("link", "status"),
    [
        ("https://a.example/1", None),
        ("", "no-url"),
        ("ftp://a.example/", "bad-scheme"),
        ("http://10.0.0.1/", "bad-host"),
        ("https://www.youtube.com/", "non-news"),
        ("https://news.skip.example/", "non-news"),
    ],
)
def test_a_link_is_checked(link: str, status: str | None) -> None:
    refusal = LinkFilter(["skip.example"], PUBLIC).refusal(link)
    assert (refusal and refusal.status) == status
    assert refusal is None or refusal.label == link


def test_a_link_counts_once_in_a_file() -> None:
    links = LinkFilter([], PUBLIC)
    statuses = [links.refusal(f"https://a.example/{n}") for n in (1, 2, 1, 1)]
    assert [found and found.status for found in statuses] == [None, None, "dups", "dups"]
    assert LinkFilter([], PUBLIC).refusal("https://a.example/1") is None
