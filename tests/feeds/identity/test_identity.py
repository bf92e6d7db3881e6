"""The identity of a story by its URL (feeds.md 8.1, docs/feeds/identity.md)."""

import re
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.feeds.attempt import NewItem
from indexer.feeds.identity.identity import (
    MAX_LENGTH,
    TITLE_LENGTH,
    ambiguous,
    guid_key,
    identity,
    normal,
    normalized_title,
    tells_apart,
    title_hash,
    url_key,
)
from indexer.feeds.reading.entry_links import repaired
from indexer.news.mcmetadata import library
from tests.each_row import each_row
from tests.feeds.properties import patient
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


@each_row(
    ("text", "form"),
    [
        ("/plain-~._path", "/plain-~._path"),
        ("/a%2fb", "/a%2Fb"),
        ("/%7Euser/%41", "/~user/A"),
        ("/é", "/%C3%A9"),
        ("/%c3%a9", "/%C3%A9"),
        ("/%e9", "/%E9"),
        ("a b|c", "a%20b%7Cc"),
        ("100%", "100%25"),
        ("%zz", "%25zz"),
        ("x=%26&y=&", "x=%26&y=&"),
    ],
)
def test_an_escaped_url_has_one_form(text: str, form: str) -> None:
    assert normal(text) == form


def test_a_lone_surrogate_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="surrogates"):
        normal("/\ud800")


_TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@patient
@given(_TEXT)
def test_an_iri_and_its_encoded_twin_have_one_form_that_stays(text: str) -> None:
    form = normal(quote(text, safe=""))
    assert form == normal(form)
    assert form.isascii()
    letters = "".join(char for char in text if char.isalnum() and not char.isascii())
    assert normal(letters) == normal(quote(letters)) == normal(quote(letters).lower())


@patient
@given(st.lists(_TEXT, min_size=2, max_size=2, unique=True))
def test_different_texts_that_are_encoded_stay_different(texts: list[str]) -> None:
    one, two = (normal(quote(text, safe="")) for text in texts)
    assert one != two


FEED = "https://news.example/feed/rss"


@each_row(
    ("guid", "answer"),
    [
        ("https://news.example/?p=12", True),
        ("https://news.example/a-story", True),
        ("https://news.example/#/story/1", True),
        ("tag:news.example,2024:1", True),
        ("5", True),
        ("ftp://news.example/", True),
        (None, False),
        ("", False),
        (" \n", False),
        ("0", False),
        ("None", False),
        (f" {FEED}\n", False),
        ("https://news.example", False),
        ("https://news.example/en/index.html", False),
    ],
)
def test_guids_that_may_identify_an_item(guid: str | None, answer: bool) -> None:
    assert tells_apart(guid, FEED) is answer


def item(identity: str, guid: str | None) -> NewItem:
    return NewItem(url=f"https://{identity}", identity=identity, guid=guid)


def test_a_guid_that_different_stories_share_is_ambiguous() -> None:
    items = [
        *(item("a.example/1", "x"), item("a.example/2", " x "), item("a.example/3", "y")),
        *(item("a.example/3", "y"), item("a.example/4", None), item("a.example/5", None)),
    ]
    assert ambiguous(items) == {"x"}


TITLES = [
    *("Weather", "WEATHER!!", "<b>Weather</b>", "“Weather” – today", "Weather: today | News"),
    *("Tom &amp; Jerry", "&quot;Weather&quot;", "AT&T wins", "Q&A: what now?", "&#8217;s"),
    *("a < b > c", "I <3 you >", "x <a href='y'>y</a>", "a <br/> b", "<!-- x -->a", "<b", "</>a"),
    *("<<b>b>x", "&<b>amp;x</b>", "- x -", "a\tb\n c\xa0d", "ÀÉ Straße", "天気", "", "...", "<br>"),
    *("x" * 2000, "a " * 2000, "!" * 2000, "&lt;b&gt;x&lt;/b&gt;", "<p class=a\nid=b>t</p>"),
]


@each_row("title", TITLES)
def test_a_title_is_normalised_as_by_the_library(title: str) -> None:
    assert normalized_title(title) == library("titles").normalize_title(title)


@each_row("title", ["Weather", "WEATHER!!", "<b>Weather</b>", "weather.", "¡Weather"])
def test_titles_that_are_one(title: str) -> None:
    expected = "weather" if title.isascii() else "¡weather"
    assert normalized_title(title) == expected


@each_row(
    "title", [None, "", " ", "...", "—", "<br>", "&nbsp;", "!?", "“”", "&", "👍", "<![foo[bar]]>"]
)
def test_a_title_without_letters_and_digits_has_no_hash(title: str | None) -> None:
    assert title_hash(normalized_title(title)) == ""


@each_row("title", ["天気", "मौसम", "7", "a 👍"])
def test_a_title_with_a_letter_or_digit_has_a_hash(title: str) -> None:
    assert len(title_hash(title)) == 32


def test_the_hash_is_the_md5_of_the_title() -> None:
    assert title_hash("weather") == "aab92e69374e4c7b8c6741fe02e574b9"


def test_titles_that_the_library_cannot_read_are_normalised() -> None:
    assert normalized_title("<![foo[bar]]> Storm") == "storm"


def test_a_long_title_is_cut() -> None:
    assert len(normalized_title("İ" * 3000)) == TITLE_LENGTH
    assert normalized_title("<" * 1_000_000 + "b>" * 1_000_000 + "a") == ""


@patient
@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    normalized = normalized_title(text)
    assert len(normalized) <= TITLE_LENGTH
    assert len(title_hash(normalized.encode("utf-8", "replace").decode())) in (0, 32)


@patient
@given(st.text(st.characters(categories=["L", "N", "P", "Zs"])))
def test_plain_text_is_normalized_as_the_library_does_it(text: str) -> None:
    assert normalized_title(text) == library("titles").normalize_title(text)
