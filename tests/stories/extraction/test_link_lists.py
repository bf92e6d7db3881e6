"""Lists of links are no stories; texts with many links are."""

from typing import Any

import pytest
from lxml import html

from indexer.errors import Discard
from indexer.stories.extraction.article import Text, article_text
from indexer.stories.extraction.blocks.walk import walk
from indexer.stories.extraction.link_lists import is_link_list, is_prose
from tests.each_row import each_row

LINKS = html.document_fromstring(
    "<a href=/1>Town council</a><a href=/2>Sport</a><a href=/3>Sports news</a><a>No link</a>"
    f"<a href=/4>{'a long link ' * 20}</a><a href=/5>x</a>"
)


@each_row(
    ("text", "expected"),
    [
        ("Town council | Sport | Sports news", True),
        ("Town\n council SportSports news 20.11.2026", True),
        ("- Sport\n- Sport\n- Sport (14:05)", True),
        ("Town council and Sport today", False),
        ("No link", False),
        ("a long link " * 20, False),
        ("x x x", False),
        ("2026 – 11 – 20", False),
        ("", False),
    ],
)
def test_only_the_texts_of_links_count(text: str, expected: bool) -> None:
    assert is_link_list(text, LINKS, 200) is expected


def test_a_list_with_a_text_of_its_own_is_no_list() -> None:
    text = "Sport " * 1000
    assert is_link_list(text + "y" * 200, LINKS, 200)
    assert not is_link_list(text + "y" * 201, LINKS, 200)


@each_row(
    ("body", "expected"),
    [
        (f"<p>{'x' * 151}</p><p>{'y' * 151}</p>", True),
        # Shorter ones may be the texts of links, and so may the parts of those with links.
        (f"<p>{'x' * 150}</p><p>{'y' * 150}</p>", False),
        (f"<p>{'x' * 201}</p>", True),
        (f"<p>{'x' * 200}</p>", False),
        (f"<p>{'x' * 201}<a href=/>y</a></p>", False),
        # Only letters count.
        (f"<p>{'1 ' * 201}</p>", False),
    ],
)
def test_long_paragraphs_without_links_are_no_list(body: str, expected: bool) -> None:
    assert is_prose(walk(html.document_fromstring(body)).blocks, 200) is expected


def test_an_extractor_that_finds_a_menu_gives_the_next_one_its_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    menu, story = "Sport " * 100, "A story of the town. " * 20
    found = [("trafilatura", menu), ("readability", story)]
    monkeypatch.setattr("indexer.stories.extraction.article._texts", lambda *_: _named(found))
    tree: Any = html.document_fromstring(f"<a href=/1>Sport</a><p>{story}</p>")
    assert article_text(tree, "", 200).method == "readability"
    found.pop()
    with pytest.raises(Discard, match="link-list: 600 characters"):
        article_text(tree, "", 200)


def _named(found: list[tuple[str, str]]) -> Any:
    return iter([Text(*each) for each in found])
