"""Snippets of texts."""

from indexer.search.language.query import parse
from indexer.search.language.snippet import LENGTH, Snippets
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.each_row import each_row

LEFT = "Left of it is nothing. " * 20
RIGHT = " Right of it is less." * 40


def snippet(query: str, text: str) -> str:
    """Return the snippet of a text for a query."""
    return Snippets(parse(query, STORY_FIELDS), "text_content").of(text)


@each_row(
    "query",
    [
        "needle",
        "NEEDLE*",
        "nee*",
        '"sharp needle"',
        '"one sharp need*" OR needle',
        "absent OR needle",
        "text:needle -absent",
        "(absent OR text:(needle absent))",
    ],
)
def test_the_match_is_in_the_middle(query: str) -> None:
    found = snippet(query, f"{LEFT}One sharp needle.{RIGHT}")
    assert "One sharp needle." in found
    assert found.startswith("…")
    assert found.endswith("…")
    assert len(found) <= LENGTH + 2


@each_row(
    "query",
    ["*", "absent", "title:needle", "-needle", "domain:needle", '"needle sharp"', '"a needle"'],
)
def test_a_text_without_a_match_is_shown_from_the_beginning(query: str) -> None:
    assert snippet(query, f"{LEFT}One sharp needle.{RIGHT}").startswith("Left of it")


def test_a_short_text_is_shown_whole() -> None:
    assert snippet("needle", "A needle.") == "A needle."
    assert snippet("needle", "") == ""


def test_a_snippet_is_plain_text_on_one_line() -> None:
    text = "A\n\tneedle\x1b[31m <b>bold</b>\u202e\u2028 end"
    assert snippet("needle", text) == "A needle[31m <b>bold</b> end"


def test_a_chinese_snippet_is_as_wide_as_others() -> None:
    found = snippet("大桥", "河水漫过。" * 100 + "大桥" + "三个村庄断电。" * 100)
    assert "大桥" in found
    assert len(found) <= LENGTH // 2 + 2


def test_a_character_is_not_cut_from_its_marks() -> None:
    found = snippet("x", "ก็" * 500)
    assert found == "ก็" * (len(found) // 2) + "…"
