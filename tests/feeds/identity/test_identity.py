"""What makes two URLs one story (feeds.md 8.1, docs/feeds/identity.md)."""

import re
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.feeds.identity.identity import MAX_LENGTH, guid_key, identity, url_key
from indexer.feeds.reading.link_repair import repaired
from tests.feeds.properties import patient
from tests.paths import ROOT

DOCUMENT = ROOT / "docs" / "feeds" / "identity.md"
ROWS = re.findall(
    r"^\| `(.*)` \| `(.*)` \| (yes|no) \|$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE
)


@pytest.mark.parametrize(("one", "another", "same"), ROWS)
def test_the_document_is_true(one: str, another: str, same: str) -> None:
    first, second = (identity(repaired(url, "https://feed.example/")) for url in (one, another))
    assert first is not None
    assert (first == second) is (same == "yes")


def test_the_document_has_examples() -> None:
    assert {same for _, _, same in ROWS} == {"yes", "no"}
    assert len(ROWS) > 20


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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
def test_what_names_no_page_has_none(url: str) -> None:
    assert identity(url) is None


def test_a_long_url_has_one_that_an_index_takes_and_that_is_its_own() -> None:
    url = "https://news.example/" + "é" * 3000
    one, two = identity(url), identity(url + "x")
    assert one
    assert two
    assert len(one) == len(two) == MAX_LENGTH
    assert one != two
    assert one.startswith("news.example/%C3%A9")


# Properties: letters, digits and hyphens only, where nothing may be equal but what is the same.

_WORD = st.text("abcXYZ019", min_size=1, max_size=8)
_LABEL = st.text("abcxyz019", min_size=1, max_size=8)
_NAME = st.sampled_from(["id", "sid", "cid", "sort", "P", "p", "s", "lang", "story", "v"])
_HOST = st.lists(_LABEL, min_size=1, max_size=3).map(lambda labels: ".".join([*labels, "example"]))
_PATH = st.lists(_WORD, max_size=4).map("/".join)
_QUERY = st.lists(st.tuples(_NAME, _WORD), max_size=3).map(
    lambda pairs: "&".join(f"{name}={value}" for name, value in pairs)
)
_PLACE = st.tuples(_HOST.filter(lambda host: not host.startswith("www.")), _PATH, _QUERY)


@patient
@given(_PLACE, _PLACE)
def test_urls_that_differ_in_host_path_or_a_kept_parameter_are_never_one(
    one: tuple[str, str, str], two: tuple[str, str, str]
) -> None:
    first, second = (identity(f"https://{host}/{path}?{query}") for host, path, query in (one, two))
    assert first is not None
    assert (first == second) is (one == two)


@patient
@given(_PLACE)
def test_case_counts_in_paths_and_queries_only(place: tuple[str, str, str]) -> None:
    host, path, query = place
    url = f"https://{host}/{path}?{query}"
    assert identity(f"HTTP://WWW.{host.upper()}/{path}?{query}#x") == identity(url)
    if path.swapcase() != path:
        assert identity(f"https://{host}/{path.swapcase()}?{query}") != identity(url)


@patient
@given(_PLACE, st.text(st.characters(categories=["L", "N"]), max_size=10))
def test_an_iri_and_its_encoded_twin_are_one(place: tuple[str, str, str], text: str) -> None:
    url = f"https://{place[0]}/{place[1]}/"
    assert identity(f"{url}{text}?q={text}") == identity(f"{url}{quote(text)}?q={quote(text)}")


@patient
@given(_PLACE, st.sampled_from(["utm_source", "gclid", "Fbclid"]), _WORD)
def test_where_the_reader_comes_from_never_counts(
    place: tuple[str, str, str], name: str, value: str
) -> None:
    host, path, query = place
    url = f"https://{host}/{path}?{query}"
    assert identity(f"{url}&{name}={value}") == identity(url)


@patient
@given(st.text(), st.text())
def test_any_text_has_an_answer(text: str, more: str) -> None:
    for url in (text, f"https://{text}/{more}", f"http://news.example/{text}?{more}#!{text}"):
        found = identity(url)
        assert found is None or (found.isascii() and len(found) <= MAX_LENGTH)


def test_keys_are_sixteen_bytes_and_of_different_kinds() -> None:
    keys = {url_key("7 a"), guid_key(7, "a"), guid_key(8, "a"), guid_key(7, "b"), url_key("a")}
    assert len(keys) == 5
    assert {len(key) for key in keys if key} == {16}
    assert url_key("news.example/a").hex() == "79faf4392169f4ba3733a4e7c118297e"


def test_a_guid_is_trimmed_and_none_if_it_is_blank() -> None:
    assert guid_key(7, " a\n") == guid_key(7, "a")
    assert guid_key(7, " \n") is None
    assert guid_key(7, "\ud800") is not None
