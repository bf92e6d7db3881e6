"""The identity of a story by its URL (feeds.md 8.1, docs/feeds/identity.md)."""

import re

from indexer.feeds.identity.identity import MAX_LENGTH, guid_key, identity, url_key
from indexer.feeds.reading.link_repair import repaired
from tests.each_row import each_row
from tests.paths import ROOT

DOCUMENT = ROOT / "docs" / "feeds" / "identity.md"
ROWS = re.findall(
    r"^\| `(.*)` \| `(.*)` \| (yes|no) \|$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE
)


@each_row(("one", "another", "same"), ROWS)
def test_the_document_is_true(one: str, another: str, same: str) -> None:
    first, second = (identity(repaired(url, "https://feed.example/")) for url in (one, another))
    assert first is not None
    assert (first == second) is (same == "yes")


def test_the_document_has_examples() -> None:
    assert {same for _, _, same in ROWS} == {"yes", "no"}
    assert len(ROWS) > 20


@each_row(
    ("url", "text"),
    [
        ("HTTPS://WWW.News.Example/A/b?x=1&Y=2#top", "news.example/A/b?x=1&Y=2"),
        ("http://news.example", "news.example/"),
        ("http://news.example?", "news.example/"),
        ("http://user:pass@news.example:8080/", "news.example:8080/"),
        ("http://www.com/", "www.com/"),
        ("https://news.example/a/../b/./c/..", "news.example/b/"),
        ("https://news.example/..", "news.example/"),
        ("https://news.example/%2e%2e/a", "news.example/a"),
        ("https://news.example//a//b", "news.example//a//b"),
        ("https://news.example/a;jsessionid=0F.n1/b;v=1", "news.example/a/b;v=1"),
        ("https://news.example/a?%75tm_source=x&b=1", "news.example/a?b=1"),
        ("https://news.example/a?b=1&amp;utm_source=x", "news.example/a?b=1"),
        ("https://news.example/?p=1&utm_source=x", "news.example/?p=1"),
        ("https://news.example/a?&utm_source=x&", "news.example/a"),
        ("https://news.example/a b?c=[d]", "news.example/a%20b?c=%5Bd%5D"),
        ("https://news.example/#!story/1", "news.example/#!story/1"),
        ("https://news.example/#/é", "news.example/#/%C3%A9"),
        ("https://news.example/#!", "news.example/"),
        ("ftp://news.example:21/a", "ftp://news.example/a"),
        ("http://[2001:DB8::1]/a", "[2001:db8::1]/a"),
        ("http://192.0.2.7/a", "192.0.2.7/a"),
    ],
)
def test_an_identity_can_be_read(url: str, text: str) -> None:
    assert identity(url) == text


@each_row(
    "url",
    [
        *(
            "",
            "news.example/a",
            "/a",
            "mailto:a@news.example",
            "http://",
            "http:///a",
            "http://:80/",
        ),
        *("http://./", "http://a..b/", "http://[::1/a", "http://a.example:port/", "http://a b/"),
        "http://news.example/\ud800",
    ],
)
def test_a_text_without_a_host_has_no_identity(url: str) -> None:
    assert identity(url) is None


def test_a_long_url_has_an_identity_that_fits_an_index_and_is_unique() -> None:
    url = "https://news.example/" + "é" * 3000
    one, two = identity(url), identity(url + "x")
    assert one
    assert two
    assert len(one) == len(two) == MAX_LENGTH
    assert one != two
    assert one.startswith("news.example/%C3%A9")


def test_keys_are_sixteen_bytes_and_of_different_kinds() -> None:
    keys = {url_key("7 a"), guid_key(7, "a"), guid_key(8, "a"), guid_key(7, "b"), url_key("a")}
    assert len(keys) == 5
    assert {len(key) for key in keys if key} == {16}
    assert url_key("news.example/a").hex() == "79faf4392169f4ba3733a4e7c118297e"


def test_a_guid_is_trimmed_and_none_if_it_is_blank() -> None:
    assert guid_key(7, " a\n") == guid_key(7, "a")
    assert guid_key(7, " \n") is None
    assert guid_key(7, "\ud800") is not None
