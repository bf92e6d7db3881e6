"""The reported column: what the library makes of a URL, only faster."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from indexer.feeds.identity.normalized_urls import normalized_url, plainly

from indexer.news.mcmetadata import library
from tests.feeds.properties import patient
from tests.news.test_ids import GOLDEN

HOSTS = [
    *("www.bbc.co.uk", "news.com.au", "m.example.com", "web.com", "1.2.org", "mx.x.de"),
    *("xn--e1afmkfd.xn--p1ai", "photos2.x.de", "archive.org", "20minutes.fr", "w_w.x.com"),
    *("cdn.media.x.com", "nytimes.com.example", "www.facebook.com", "notyoutube.com", "543.r2.ly"),
]
PATHS = [
    *(
        "/",
        "/news/",
        "/2024/05/14/a-long-story",
        "/Story.HTML",
        "/a/1,2,3.html",
        "/a;b=1",
        "/web.x",
    ),
    *("/%e0%a4%95%e0%a4%96-1/", "/caf%C3%A9", "/%E9", "/e%CC%81", "/(x)+~y!", "/.well/_known"),
    *("/a//b", "/a/./b", "/a.", "/utm_source"),
]
QUERIES = [
    *("", "?id=7", "?z=1&utm_source=rss&a=2", "?sid=1&cid=2&ref=3&source=x", "?a=2&a=1&_x=1"),
    *("?PHPSESSID=1&sort=new", "?nk=0f", "?xutm_source=1&b=2", "?a=&b", "?a=x,y", "?utm_medium=x"),
]
CORPUS = [
    f"https://{host}{path}{query}{fragment}"
    for (host, path, query), fragment in zip(
        itertools.product(HOSTS, PATHS, QUERIES), itertools.cycle(["", "#top", "", "#b.c", "#"])
    )
][::4]


def library_s(url: str) -> str:
    found: str = library("urls").normalize_url(url)
    return found


def test_what_is_done_here_is_what_the_library_does() -> None:
    done = {url: plainly(url) for url in CORPUS}
    plain = {url: answer for url, answer in done.items() if answer is not None}
    assert len(plain) > 150
    assert plain == {url: library_s(url) for url in plain}


@pytest.mark.parametrize(
    "url",
    [
        "https://www.example.com/2024/05/14/a-long-story/",
        "https://www.example.com/news/story-12345.html?utm_source=rss&utm_medium=feed",
        "http://example.co.in/%e0%a4%95%e0%a4%96-%e0%a4%97/?id=7#top",
    ],
)
def test_urls_of_the_usual_kinds_are_plain(url: str) -> None:
    assert plainly(url) == library_s(url)


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: row["url"][:60])
def test_it_is_the_column_of_indexed_stories(row: dict[str, str]) -> None:
    assert normalized_url(row["url"]) == row["normalized_url"]


@pytest.mark.parametrize("url", ["", "http://[::1", "http://example.com:port/", "http://a/\ud800"])
def test_there_is_none_where_the_library_has_none(url: str) -> None:
    assert normalized_url(url) is None


_WORD = st.text("abyzABYZ0189._-~,;+!()", min_size=1, max_size=6)
_NAME = st.sampled_from(["a", "ID", "ref", "sid", "utm_x", "ga_", "_", "Sort", "utm_source", "nk"])
_URL = st.builds(
    lambda host, path, query, end: f"https://{host}.com/{'/'.join(path)}?{'&'.join(query)}{end}",
    st.sampled_from(["www.x", "m.x", "news", "web", "x-y", "1", "m1.x", "blogs.x", "google.x"]),
    st.lists(
        _WORD
        | st.text("àé日", min_size=1, max_size=2)
        .map(lambda t: t.encode().hex("%"))
        .map(lambda t: f"%{t}"),
        max_size=3,
    ),
    st.lists(st.tuples(_NAME, _WORD).map("=".join), max_size=3),
    st.sampled_from(["", "#a.b"]),
).map(lambda url: url.replace("?#", "#").removesuffix("?"))


@patient
@given(_URL)
def test_whatever_is_plain_is_what_the_library_does(url: str) -> None:
    answer = plainly(url)
    assert answer is None or answer == library_s(url)
