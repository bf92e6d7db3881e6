"""Cleaning text of unknown origin."""

from indexer.text.cleaning import clean, one_line
from tests.each_row import each_row


@each_row(
    ("text", "cleaned"),
    [
        ("plain", "plain"),
        ("a\x00b\x1bc\x9b", "abc"),
        ("line\nbreak\ttab\r\n", "line\nbreak\ttab\r\n"),
        ("lone \ud800 surrogate", "lone  surrogate"),
        ("नमस्ते 你好 \U0001f600", "नमस्ते 你好 \U0001f600"),
    ],
)
def test_forbidden_characters_are_removed(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned
    cleaned.encode("utf-8")


@each_row(
    ("text", "line"),
    [
        ("  a\r\n b\u2028c ", "a b c"),
        ("evil \u202e reversed", "evil  reversed"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("x" * 600, "x" * 500),
    ],
)
def test_a_title_is_one_line(text: str, line: str) -> None:
    assert one_line(text) == line
