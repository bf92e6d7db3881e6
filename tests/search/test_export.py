"""Exporting hits."""

import json

from indexer.search import Hit
from indexer.search.export import COLUMNS, csv_row, json_line
from tests.each_row import each_row
from tests.search.corpus import story


def test_a_json_line_has_everything() -> None:
    document = story("a", "Text\nin «two» lines, 中文", language=None)
    line = json_line(Hit(document, 1.5, "snippet"))
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
    line = json_line(Hit(story("a", text), 0.0))
    assert line.rstrip("\n").isprintable()
    assert json.loads(line)["text_content"] == text


@each_row("sign", ["=", "+", "-", "@", "\t"])
def test_a_cell_is_never_a_formula(sign: str) -> None:
    row = csv_row(Hit(story("a", article_title=f"{sign}cmd|' /C calc'!A0"), 0.0))
    assert row[COLUMNS.index("article_title")] == f"'{sign}cmd|' /C calc'!A0"


def test_cells_are_text_without_control_characters() -> None:
    row = csv_row(Hit(story("a", article_title="a\x1b[31m\x00\r\x9bb"), 12.5, "s"))
    assert row[COLUMNS.index("article_title")] == "a[31mb"
    assert row[COLUMNS.index("score")] == "12.5"


def test_the_full_text_is_an_optional_column() -> None:
    hit = Hit(story("a", "All of it.", language=None), 0.0)
    assert "All of it." not in csv_row(hit)
    assert csv_row(hit, ("language", "text_content")) == ["", "All of it."]
