"""Repairs of links with common mistakes (feeds.md 8, 8.1)."""

from hypothesis import given
from hypothesis import strategies as st

from indexer.feeds.reading.link_repair import repaired
from tests.each_row import each_row
from tests.feeds.properties import patient

FEED = "https://feeds.example/rss"


@each_row(
    ("link", "right"),
    [
        ("http://http://a.example/pulse", "http://a.example/pulse"),
        ("http://https://a.example/", "https://a.example/"),
        ("http://http//a.example/x", "http://a.example/x"),
        ("https://https://http://a.example/", "http://a.example/"),
        ("http:/a.example/one", "http://a.example/one"),
        ("//a.example/x", "https://a.example/x"),
        ("https:\\\\a.example\\b\\c", "https://a.example/b/c"),
        ("https:\\a.example\\b", "https://a.example/b"),
        ("https://a.example/b?c=\\d", "https://a.example/b?c=\\d"),
        ("https://a.example:/b", "https://a.example/b"),
        ("https://a.example:", "https://a.example"),
        ("https://a.example?page=2", "https://a.example/?page=2"),
        ("https://a.example:?page=2", "https://a.example/?page=2"),
        ("https://a.example/b c", "https://a.example/b%20c"),
        ("\n https://a.example/b\u00a0\ufeff", "https://a.example/b"),
        ("https://a.example/b\n   /c", "https://a.example/b%20%20%20/c"),
        ("https://a.example/\tb", "https://a.example/b"),
    ],
)
def test_mistakes_that_can_only_mean_one_thing_are_put_right(link: str, right: str) -> None:
    assert repaired(link, FEED) == right


@each_row(
    "link",
    [
        *("", "#", "/story", "www.a.example/x", "mailto:a@b.example", "javascript:alert(1)"),
        *("https://a.example/B?c=D#e", "ftp://a.example/x", "https://[::1]/x", "http:///x"),
        "https://web.archive.example/2020/http://a.example//b?c=http:/d",
        "https://a.example/?to=https://b.example?c",
        "https://user:pass@a.example:8080/x",
        "https://пример.рф/новость",
    ],
)
def test_what_is_right_or_cannot_be_known_stays(link: str) -> None:
    assert repaired(link, FEED) == link


def test_a_link_without_a_scheme_has_that_of_the_feed() -> None:
    assert repaired("//a.example/x", "http://feeds.example/") == "http://a.example/x"
    assert repaired("//a.example/x", "") == "http://a.example/x"


_PIECES = st.sampled_from(
    ["http", "https", "HTTP", ":", "/", "//", "\\", "?", "#", " ", "\n", "a.example", "é", "[", "]"]
)


@patient
@given(st.lists(_PIECES | st.text(max_size=3)).map("".join), st.sampled_from([FEED, "", "x"]))
def test_any_text_has_an_answer_which_is_not_repaired_again(link: str, feed: str) -> None:
    once = repaired(link, feed)
    assert "\n" not in once
    assert " " not in once
    assert repaired("https://a.example/" + once, feed) is not None
