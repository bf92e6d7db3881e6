"""Exporting hits."""

import json
import re

from indexer.search import Hit
from indexer.search.export import columns, csv_row, json_line
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.each_row import each_row
from tests.search.corpus import story

COLUMNS = columns(STORY_FIELDS)


def test_a_json_line_has_everything() -> None:
    document = story("a", "Text\nin «two» lines, 中文", language=None)
    line = json_line(Hit(document, 1.5, "snippet"), STORY_FIELDS)
    assert line.count("\n") == 1
    assert "中文" in line
    assert json.loads(line) == {
        "id": "a",
        "url": "https://site.example/a",
        "text_content": "Text\nin «two» lines, 中文",
        "indexed_date": "2024-01-02T03:04:05.000006",
        "article_title": "A title",
        "canonical_domain": "site.example",
        "language": None,
        "publication_date": "2024-01-01",
        "score": 1.5,
        "snippet": "snippet",
    }


def test_a_json_line_has_no_character_that_a_terminal_obeys() -> None:
    text = "a\x1b[31m\x07\x9b31m\u202eb\u2028c\x7f"
    line = json_line(Hit(story("a", text), 0.0), STORY_FIELDS)
    assert line.rstrip("\n").isprintable()
    assert json.loads(line)["text_content"] == text


@each_row("sign", ["=", "+", "-", "@", "\t"])
def test_a_cell_is_never_a_formula(sign: str) -> None:
    row = csv_row(Hit(story("a", article_title=f"{sign}cmd|' /C calc'!A0"), 0.0), COLUMNS)
    assert row[COLUMNS.index("article_title")] == f"'{sign}cmd|' /C calc'!A0"


@each_row(
    ("text", "cell"),
    [
        ("a\x1b[31m\x00\r\x9bb", r"a\u001b[31m\u0000\u000d\u009bb"),
        ("txt.\u202egpj \u2028 \u00ad", r"txt.\u202egpj \u2028 \u00ad"),
        ("\\u202e \\n C:\\users", r"\u005cu202e \n C:\users"),
        ("two\n\tlines", "two\n\tlines"),
    ],
)
def test_hidden_characters_of_a_cell_are_escaped_and_can_be_read_back(text: str, cell: str) -> None:
    row = csv_row(Hit(story("a", article_title=text), 12.5, "s"), COLUMNS)
    assert row[COLUMNS.index("article_title")] == cell
    assert re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), cell) == text
    assert row[COLUMNS.index("score")] == "12.5"


def test_the_full_text_is_an_optional_column() -> None:
    hit = Hit(story("a", "All of it.", language=None), 0.0)
    assert "All of it." not in csv_row(hit, COLUMNS)
    assert csv_row(hit, ("language", "text_content")) == ["", "All of it."]
