"""The rule for lists of links, measured on pages in eight languages."""

import pytest

from indexer.errors import Discard
from indexer.stories.extraction.article import article_text
from indexer.stories.extraction.blocks.layout import collapse
from indexer.stories.extraction.markup import parse
from tests.stories.link_pages import MENUS, lists, texts

URL = "https://www.example.com/2026/a-page.html"


def status(page: str) -> str:
    tree = parse(page)
    collapse(tree)
    try:
        article_text(tree, URL, 200)
    except Discard as end:
        return end.status
    return "story"


@pytest.mark.parametrize("language", MENUS)
def test_lists_of_links_are_no_stories(language: str) -> None:
    assert {name for name, page in lists(language) if status(page) == "story"} == set()


@pytest.mark.parametrize("language", MENUS)
def test_texts_with_many_links_are_stories(language: str) -> None:
    assert {name for name, page in texts(language) if status(page) != "story"} == set()
