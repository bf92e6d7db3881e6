"""White space, on the pages of the newsroom: the words of a text don't depend on it."""

import re
from typing import Any

import pytest
import trafilatura
from lxml import html

from indexer.stories.extraction.article import article_text, second_opinion
from indexer.stories.extraction.blocks.layout import collapse
from indexer.stories.extraction.markup import parse
from indexer.text.decoding.ladder import decode
from newsroom.newspapers import newspapers
from newsroom.page import page
from newsroom.story import Story

PAPERS = newspapers()
HOSTS = {host.host: host for host in PAPERS.hosts}


def markup(story: Story) -> str:
    related = [other for other in PAPERS.stories if other.host == story.host][:3]
    return decode(page(HOSTS[story.host], story, related), story.label, None)[0]


def extracted(text: str, url: str) -> str:
    tree = parse(text)
    collapse(tree)
    return article_text(tree, url, 200).text


def indented(text: str) -> str:
    """The page, with a line break and an indentation in place of each space."""
    tree: Any = parse(text)
    for element in tree.iter("p", "b", "i", "em", "a", "span", "div"):
        for name in ("text", "tail"):
            if found := getattr(element, name):
                setattr(element, name, re.sub(r"\s+", "\n\n\t        ", found))
    return str(html.tostring(tree, encoding="unicode"))


@pytest.mark.parametrize("host", HOSTS)
def test_normalisation_changes_nothing_but_white_space(host: str) -> None:
    for story in (each for each in PAPERS.stories if each.host == host):
        text = markup(story)
        before: Any = trafilatura.bare_extraction(
            parse(text), url=story.url, fast=True, include_comments=False
        )
        tree = parse(text)
        collapse(tree)
        assert second_opinion(tree, story.url).split() == before.text.split(), story.url


@pytest.mark.parametrize("host", HOSTS)
def test_the_indentation_of_a_page_does_not_change_its_text(host: str) -> None:
    for story in (each for each in PAPERS.stories if each.host == host):
        text = markup(story)
        assert extracted(indented(text), story.url) == extracted(text, story.url), story.url
