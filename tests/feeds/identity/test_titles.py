"""Normalised titles, by which stories are compared (feeds.md 8.3)."""

from hypothesis import given
from hypothesis import strategies as st

from indexer.feeds.identity.titles import MAX_LENGTH, normalized_title, title_hash
from indexer.news.mcmetadata import library
from tests.each_row import each_row
from tests.feeds.properties import patient

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
    assert len(normalized_title("İ" * 3000)) == MAX_LENGTH
    assert normalized_title("<" * 1_000_000 + "b>" * 1_000_000 + "a") == ""


@patient
@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    normalized = normalized_title(text)
    assert len(normalized) <= MAX_LENGTH
    assert len(title_hash(normalized.encode("utf-8", "replace").decode())) in (0, 32)


@patient
@given(st.text(st.characters(categories=["L", "N", "P", "Zs"])))
def test_plain_text_is_normalized_as_the_library_does_it(text: str) -> None:
    assert normalized_title(text) == library("titles").normalize_title(text)
