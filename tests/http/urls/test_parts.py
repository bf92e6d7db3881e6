"""URLs in their parts, and the servers that they name."""

import pytest

from indexer.http.urls.hosts import without_www
from indexer.http.urls.parts import Parts, server, split


def test_a_url_is_cut_at_the_same_places_as_in_browsers() -> None:
    assert split("HTTPS://u@A.b:1/c?d?e#f?g#h") == Parts("https", "u@A.b:1", "/c", "d?e", "f?g#h")
    assert split("http://a?b") == Parts("http", "a", "", "b", "")


@pytest.mark.parametrize("url", ["", "/a", "www.a.b/c", "mailto:a@b.c", "//a.b/c", "1://a"])
def test_what_has_no_scheme_and_authority_is_not_cut(url: str) -> None:
    assert split(url) is None


@pytest.mark.parametrize(
    ("scheme", "authority", "host", "port"),
    [
        ("https", "News.Example", "news.example", ""),
        ("https", "user:pass@news.example", "news.example", ""),
        ("https", "news.example.:443", "news.example", ""),
        ("https", "news.example:80", "news.example", "80"),
        ("http", "news.example:0080", "news.example", ""),
        ("ftp", "news.example:21", "news.example", ""),
        ("http", "news.example:", "news.example", ""),
        ("http", "[2001:DB8:0::1]:8080", "[2001:db8::1]", "8080"),
        ("http", "Пример.рф", "xn--e1afmkfd.xn--p1ai", ""),
        ("http", "XN--e1afmkfd.xn--P1ai", "xn--e1afmkfd.xn--p1ai", ""),
        ("http", "%D0%BF%D1%80.example", "xn--o1ac.example", ""),
        ("http", "i❤.example", "xn--i-7iq.example", ""),
        ("http", "a_b.example", "a_b.example", ""),
        ("http", ":80", "", ""),
    ],
)
def test_a_server_has_one_name(scheme: str, authority: str, host: str, port: str) -> None:
    assert server(scheme, authority) == WebServer(host, port)


@pytest.mark.parametrize(
    "authority",
    [
        *("a..b", "a b.example", "a.example:x", "a.example:99999", "a.example:١", "a,b.example"),
        *("[::1", "::1]", "[zz]", "[::1]x", "x" * 64 + ".example", "a." * 2000, "%ff.example"),
        "xn--\ud800.example",
    ],
)
def test_what_can_be_no_server_is_a_value_error(authority: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        server("http", authority)


@pytest.mark.parametrize(
    ("host", "short"),
    [
        ("www.a.example", "a.example"),
        ("www.com", "www.com"),
        ("www2.a.example", "www2.a.example"),
        ("www.www.a.example", "www.a.example"),
        ("wwwa.example", "wwwa.example"),
    ],
)
def test_only_the_whole_label_is_removed_and_a_name_stays(host: str, short: str) -> None:
    assert without_www(host) == short
