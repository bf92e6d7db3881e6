"""Hosts and domains by which visits are limited."""

from hypothesis import given
from hypothesis import strategies as st

from indexer.feeds.identity.places import domain_of, host_keys, keys
from indexer.http.urls.parts import host_of
from tests.each_row import each_row

PLACES = [
    ("https://news.example.co.uk/feed", "news.example.co.uk", "example.co.uk"),
    ("HTTP://A.com", "a.com", "a.com"),
    ("http://user@a.com/", "a.com", "a.com"),
    ("http://user:p@ss@A.com:8080/@b.com/", "a.com", "a.com"),
    ("http://a.com.:80/", "a.com", "a.com"),
    ("http://www.gov.cn/", "www.gov.cn", "www.gov.cn"),
    ("http://m\u00fcnchen.de/", "xn--mnchen-3ya.de", "xn--mnchen-3ya.de"),
    ("http://one.blogspot.com/", "one.blogspot.com", "one.blogspot.com"),
    ("http://two.one.blogspot.com/", "two.one.blogspot.com", "one.blogspot.com"),
    ("http://a.news.example/", "a.news.example", "news.example"),
    ("http://localhost:8000/", "localhost", None),
    ("http://co.uk/", "co.uk", None),
    ("http://127.0.0.1/", "127.0.0.1", None),
    ("http://0x7f.1/", "127.0.0.1", None),
    ("http://[2001:DB8::1]:80/", "2001:db8::1", None),
    ("", None, None),
    ("a.com", None, None),
    ("ftp://a.com/", None, None),
    ("http://[", None, None),
    ("http://@[/", None, None),
    ("http://ne ws.example/", None, None),
    ("http://" + "a" * 70 + ".com/", None, None),
]


@each_row(("url", "host", "domain"), PLACES)
def test_a_url_has_a_host_and_a_domain(url: str, host: str | None, domain: str | None) -> None:
    assert (host_of(url), domain_of(url)) == (host, domain)


def test_a_visit_counts_for_the_source_and_all_places_that_it_leads_to() -> None:
    assert keys(7, "http://feeds.a.com/1", "https://www.b.org/feed") == [
        "source:7",
        "host:feeds.a.com",
        "domain:a.com",
        "host:www.b.org",
        "domain:b.org",
    ]
    assert keys(None, "http://a.com/", "https://A.com/feed") == ["host:a.com", "domain:a.com"]
    assert keys(0, "http://127.0.0.1/") == ["source:0", "host:127.0.0.1"]
    assert keys(7, "rubbish", "more of it") == ["source:7"]
    assert keys(None, "") == []


def test_a_host_alone_has_a_key() -> None:
    assert host_keys("http://feeds.a.com/") == ["host:feeds.a.com"]
    assert host_keys("rubbish", None) == []
    assert host_keys("http://a.com/", "https://b.com/", "http://A.com/x") == [
        "host:a.com",
        "host:b.com",
    ]


@given(st.text())
def test_any_text_has_places_or_none(text: str) -> None:
    for url in (text, f"http://{text}", f"http://{text}@{text}/"):
        assert all(" " not in key for key in keys(1, url, text))
