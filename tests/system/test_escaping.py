"""Hidden characters, written so that they can be seen and read back."""

import json

from indexer.system.escaping import escaped, escaped_line
from tests.each_row import each_row


@each_row(
    ("text", "expected"),
    [
        ("plain, é 你好 \U0001f600", "plain, é 你好 \U0001f600"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("a\tb\nc", "a\tb\nc"),
        ("\x1b[31m\x9b\x7f\r", r"\u001b[31m\u009b\u007f\u000d"),
        ("txt.\u202egpj", r"txt.\u202egpj"),
        ("a\u2028b\u2029c\x85d", r"a\u2028b\u2029c\u0085d"),
        ("\ufeff\u200b\u00ad\u2066\u061c", r"\ufeff\u200b\u00ad\u2066\u061c"),
        ("\U000e0041", r"\udb40\udc41"),
        ("\ud800", r"\ud800"),
    ],
)
def test_hidden_characters_become_escapes_of_json(text: str, expected: str) -> None:
    assert escaped(text) == expected
    assert escaped(escaped(text)) == expected


def test_a_document_of_json_keeps_its_meaning() -> None:
    values = {"a\u202e": ["\x7f\u2028\U000e0041", "\ud800", "\\u202e", "\n"]}
    text = escaped(json.dumps(values, ensure_ascii=False))
    assert json.loads(text) == values
    text.encode()


def test_a_line_stays_one_line() -> None:
    assert escaped_line("a\r\n2026 | INFO | forged\u2028") == r"a\u000d\n2026 | INFO | forged\u2028"
