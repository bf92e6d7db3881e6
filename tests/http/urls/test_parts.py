"""The parts of URLs, and the servers that they name: one verdict for all programs."""

import pytest

from indexer.errors import BadURL
from indexer.http.urls.addresses import literal
from indexer.http.urls.parts import (
    Parts,
    host_of,
    is_within,
    server,
    split,
    without_credentials,
    without_www,
)
from indexer.http.urls.target import Target
from tests.each_row import each_row


def test_a_url_is_split_at_the_same_places_as_in_browsers() -> None:
    assert split("HTTPS://u@A.b:1/c?d?e#f?g#h") == Parts("https", "u@A.b:1", "/c", "d?e", "f?g#h")
    assert split("http://a?b") == Parts("http", "a", "", "b", "")


@each_row("url", ["", "/a", "www.a.b/c", "mailto:a@b.c", "//a.b/c", "1://a"])
def test_a_text_without_scheme_and_authority_has_no_parts(url: str) -> None:
    assert split(url) is None


SERVERS = [
    ("https", "News.Example", "news.example", None),
    ("https", "user:pass@news.example", "news.example", None),
    ("https", "u@v@news.example", "news.example", None),
    ("https", "news.example.:443", "news.example", None),
    ("https", "news.example:80", "news.example", 80),
    ("http", "news.example:0080", "news.example", None),
    ("ftp", "news.example:21", "news.example", None),
    ("http", "news.example:", "news.example", None),
    ("http", "[2001:DB8:0::1]:8080", "[2001:db8::1]", 8080),
    ("http", "127.1", "127.0.0.1", None),
    ("http", "0x7f.1", "127.0.0.1", None),
    ("http", "2130706433", "127.0.0.1", None),
    ("http", "017700000001:81", "127.0.0.1", 81),
    ("http", "%31%32%37.1", "127.0.0.1", None),
    ("http", "１２７.０.０.１", "127.0.0.1", None),
    ("http", "127。0。0。1", "127.0.0.1", None),
    ("http", "Пример.рф", "xn--e1afmkfd.xn--p1ai", None),
    ("http", "XN--e1afmkfd.xn--P1ai", "xn--e1afmkfd.xn--p1ai", None),
    ("http", "%D0%BF%D1%80.example", "xn--o1ac.example", None),
    ("http", "ＷＷＷ.news.example", "www.news.example", None),
    ("http", "news。example", "news.example", None),
    ("http", "straße.example", "xn--strae-oqa.example", None),
    ("http", "☃.net", "xn--n3h.net", None),
    ("http", "i❤.example", "xn--i-7iq.example", None),
    ("http", "straße❤.example", "xn--strae-oqa2410e.example", None),
    ("http", "a_b.example", "a_b.example", None),
    ("http", "localhost", "localhost", None),
]


@each_row(("scheme", "authority", "host", "port"), SERVERS)
def test_a_server_has_one_name(scheme: str, authority: str, host: str, port: int | None) -> None:
    found = server(scheme, authority)
    assert (found.name, found.port) == (host, port)
    assert found.address == literal(host)


def test_an_ipv6_address_has_one_spelling() -> None:
    assert server("http", "[2001:DB8::0.0.0.1]") == server("http", "[2001:db8:0::1]")


BROKEN = [
    *("a..b", "a b.example", "a.example:x", "a.example:99999", "a.example:0", "a.example:١"),
    *("a,b.example", "[::1", "::1]", "[zz]", "[]", "[::1]x", "[::1]x:80", "[fe80::1%25eth0]"),
    *("%5B::1%5D", "%5B%3A%3A1%5D", "［::1］", "1.2.3.4.5", "256.1.1.1", "0x.1.2.3.4", "08.1"),
    *("x" * 64 + ".example", "a." * 2000, "%ff.example", "%00.example", "xn--\ud800.example"),
    *("a\\@b.example", "exa\u2100mple.example", "a%2fb.example", "a%40b.example", "a%3a80"),
    *("a%23.example", "a%3f.example", "a%5c.example", "a\uff0fb.example", "a\uff20b.example"),
]


@each_row("authority", BROKEN)
def test_a_text_that_can_be_no_server_is_a_bad_url(authority: str) -> None:
    with pytest.raises(BadURL) as refused:
        server("http", authority)
    assert refused.value.status == "bad-url"


@each_row("authority", ["", ":80", ".", "user@", "user@:80", "%2e"])
def test_an_authority_may_name_no_host(authority: str) -> None:
    with pytest.raises(BadURL) as refused:
        server("http", authority)
    assert refused.value.status == "no-host"


# One verdict for the fetcher, for politeness, and for the identity and the domain of a story.
VERDICTS = [
    ("https://☃.net/", "xn--n3h.net"),
    ("http://0x7f.1/", "127.0.0.1"),
    ("http://[2001:DB8:0::1]:81/", "2001:db8::1"),
    ("http://News.com.AU./a", "news.com.au"),
    ("http://１２７.1/", "127.0.0.1"),
    ("http://a..b/", None),
    ("http://1.2.3.4.5/", None),
    ("http://%5B::1%5D/", None),
    ("http://a\\.example/", None),
    ("http://a.example:0/", None),
    ("http:a.example", None),
    ("//a.example/", None),
]


@each_row(("url", "host"), VERDICTS)
def test_a_url_has_the_same_host_for_the_fetcher_and_for_feeds(url: str, host: str | None) -> None:
    try:
        fetched = Target.parse(url).name.strip("[]")
    except BadURL:
        fetched = None
    assert (fetched, host_of(url)) == (host, host)


WITHIN = [
    ("news.example", ["news.example"], True),
    ("blog.news.example", ["news.example"], True),
    ("Blog.NEWS.example", [".News.Example."], True),
    ("a.example", ["b.example", "a.example"], True),
    ("anews.example", ["news.example"], False),
    ("news.example", ["blog.news.example"], False),
    ("news.example.com", ["news.example"], False),
    ("news.example", ["", "."], False),
    ("news.example", [], False),
    ("", ["news.example"], False),
]


@each_row(("host", "domains", "answer"), WITHIN)
def test_a_host_is_under_a_domain_by_whole_labels(
    host: str, domains: list[str], answer: bool
) -> None:
    assert is_within(host, domains) is answer


SHORTER = [
    ("www.a.example", "a.example"),
    ("www.com", "www.com"),
    ("www2.a.example", "www2.a.example"),
    ("www.www.a.example", "www.a.example"),
    ("wwwa.example", "wwwa.example"),
]


@each_row(("host", "short"), SHORTER)
def test_only_the_whole_label_is_removed_and_a_name_stays(host: str, short: str) -> None:
    assert without_www(host) == short


@each_row(
    ("url", "shown"),
    [
        ("http://user:secret@host:9200/mc_search?key=secret", "http://host:9200/mc_search"),
        ("amqp://guest:guest@[::1]:5672/%2f", "amqp://[::1]:5672/%2f"),
        ("sqlite:///data/index.sqlite3", "sqlite:///data/index.sqlite3"),
        ("data/archive", "data/archive"),
        ("data/me@home,too", "data/me@home,too"),
        ("amqp://u:se/cret@host:5672/v", "amqp://host:5672/v"),
        ("amqp://u:se?cr#et@host/v", "amqp://host/v"),
        ("s3://bucket/2024/a@b", "s3://bucket/2024/a@b"),
        ("sqlite:///me@home.sqlite3", "sqlite:///me@home.sqlite3"),
        ("http://u:se@cret@one:9200/x", "http://one:9200/x"),
        (
            "http://u:secret@one:9200,http://u:secret@two:9200/x",
            "http://one:9200,http://two:9200/x",
        ),
        ("http://u:secret@one:9200,u:secret@two:9200/x", "http://two:9200/x"),
        ("http://u:sec,ret@one:9200/x#secret", "http://one:9200/x"),
    ],
)
def test_credentials_are_never_shown(url: str, shown: str) -> None:
    assert without_credentials(url) == shown
