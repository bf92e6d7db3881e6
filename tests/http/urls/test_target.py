"""Tests of the URL of a request."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.errors import BadURL
from indexer.http.urls.target import MAX_URL_LENGTH, Target
from tests.each_row import each_row

READ = [
    ("http://Example.COM", "http://example.com/"),
    ("HTTPS://example.com:443/a", "https://example.com/a"),
    ("http://example.com:8080/a?b=c#d", "http://example.com:8080/a?b=c"),
    ("  http://example.com/a\n", "http://example.com/a"),
    ("http://exa\tmple.com/a\r\nb", "http://example.com/ab"),
    ("http://example.com/a b/ü?q=ä ö", "http://example.com/a%20b/%C3%BC?q=%C3%A4%20%C3%B6"),
    ("http://example.com/a%2Fb%zz", "http://example.com/a%2Fb%zz"),
    ('http://example.com/"<>`{}|^', "http://example.com/%22%3C%3E%60%7B%7D%7C%5E"),
    ("http://example.com/a/./b/../c/", "http://example.com/a/c/"),
    ("http://example.com/../..", "http://example.com/"),
    ("http://example.com/a/..", "http://example.com/"),
    ("http://example.com/a\\b", "http://example.com/a/b"),
    ("http://münchen.de/", "http://xn--mnchen-3ya.de/"),
    ("http://ＷＷＷ.example.com/", "http://www.example.com/"),
    ("http://пример.рф/", "http://xn--e1afmkfd.xn--p1ai/"),
    ("http://ex%61mple.com/", "http://example.com/"),
    ("http://under_score.example.com/", "http://under_score.example.com/"),
    ("http://example.com./", "http://example.com./"),
    ("http://0x7f.1/", "http://127.0.0.1/"),
    ("http://2130706433/", "http://127.0.0.1/"),
    ("http://[::1]:8080/", "http://[::1]:8080/"),
    ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"),
]


@each_row(("url", "read"), READ)
def test_a_url_is_read_as_browsers_do(url: str, read: str) -> None:
    assert Target.parse(url).url == read


REFUSED = [
    ("", "no-url"),
    ("  ", "no-url"),
    ("example.com/a", "bad-scheme"),
    ("ftp://example.com/", "bad-scheme"),
    ("file:///etc/passwd", "bad-scheme"),
    ("javascript:alert(1)", "bad-scheme"),
    ("mailto:a@example.com", "bad-scheme"),
    ("http://", "no-host"),
    ("http:///path", "no-host"),
    ("http:example.com", "no-host"),
    ("http://./", "no-host"),
    ("http://:80/", "no-host"),
    ("http://[::1", "bad-url"),
    ("http://[::1]x/", "bad-url"),
    ("http://[fe80::1%25eth0]/", "bad-url"),
    ("http://1.2.3.4.5/", "bad-url"),
    ("http://a..b/", "bad-url"),
    ("http://example.com\\a", "bad-url"),
    ("http://ex ample.com/", "bad-url"),
    ("http://example.com\x00.evil.com/", "bad-url"),
    ("http://example.com/\x00", "bad-url"),
    ("http://example%00.com/", "bad-url"),
    ("http://exam%ffple.com/", "bad-url"),
    ("http://user:secret@example.com/", "bad-url"),
    ("http://example.com@127.0.0.1/", "bad-url"),
    ("http://example.com:99999/", "bad-url"),
    ("http://example.com:0/", "bad-url"),
    ("http://example.com:٨٠/", "bad-url"),
    ("http://example.com:80a/", "bad-url"),
    ("http://example.com/\ud800", "bad-url"),
    (f"http://{'a' * 64}.com/", "bad-url"),
    ("http://example.com/" + "a" * MAX_URL_LENGTH, "bad-url"),
]


@each_row(("url", "status"), REFUSED)
def test_a_url_that_cannot_be_fetched_is_refused_with_a_status(url: str, status: str) -> None:
    with pytest.raises(BadURL) as refused:
        Target.parse(url)

    assert refused.value.status == status


def test_the_refusal_of_credentials_does_not_repeat_them() -> None:
    with pytest.raises(BadURL, match="user name or password") as refused:
        Target.parse("http://user:secret@example.com/")

    assert "secret" not in str(refused.value)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for url in (text, f"http://{text}", f"http://example.com/{text}"):
        try:
            target = Target.parse(url)
        except BadURL:
            continue
        assert Target.parse(target.url).url == target.url
        assert target.url.isascii()


LOCATIONS = [
    ("/b", "http://example.com/b"),
    ("c?d=1", "http://example.com/dir/c?d=1"),
    ("?d=1", "http://example.com/dir/page?d=1"),
    ("//other.org/x", "http://other.org/x"),
    ("https://other.org", "https://other.org/"),
    ("../../../x", "http://example.com/x"),
    ("/a b", "http://example.com/a%20b"),
    ("/caf\xc3\xa9", "http://example.com/caf%C3%A9"),
    ("/caf\xe9", "http://example.com/caf%E9"),
    ("http://m\xc3\xbcnchen.de/", "http://xn--mnchen-3ya.de/"),
    ("/\u4e2d", "http://example.com/%E4%B8%AD"),
]


@each_row(("location", "url"), LOCATIONS)
def test_a_location_is_followed_as_browsers_do(location: str, url: str) -> None:
    assert Target.parse("http://example.com/dir/page?q=1").follow(location).url == url


@pytest.mark.parametrize("location", ["http://[", "ftp://example.com/", "http://\xff/"])
def test_a_location_that_leads_nowhere_is_refused(location: str) -> None:
    with pytest.raises(BadURL):
        Target.parse("http://example.com/").follow(location)


@given(st.text(alphabet=st.characters(max_codepoint=255)))
def test_any_location_is_followed_or_refused(location: str) -> None:
    with suppress(BadURL):
        assert Target.parse("http://example.com/a/b").follow(location).url.isascii()


def test_the_origin_names_a_port_that_is_not_the_usual() -> None:
    assert Target.parse("https://example.com:443/a").origin == "https://example.com"
    assert Target.parse("https://example.com:80/a").origin == "https://example.com:80"
