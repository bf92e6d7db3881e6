"""The quality of texts and values on the labelled pages, and the work that hostile pages make."""

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from types import FrameType
from typing import Any

import pytest
from lxml import html

from indexer.stories.evaluation.evaluating import Evaluation, evaluated, evaluation
from indexer.stories.evaluation.truth import read_truth
from indexer.stories.extraction.blocks.story import read
from indexer.stories.extraction.extraction import extract
from indexer.stories.extraction.pages import Extraction, FetchedPage
from newsroom.labelled.pages import LAYOUTS, write_pages
from tests.each_row import each_row

NOW = datetime(2026, 12, 1, tzinfo=UTC).timestamp()

HARD = {"paywall": 0.94, "short_story_long_teasers": 0.94, "teaser_says_article_body": 0.97}
"""The least F1 of layouts in which a short text is read by trafilatura, too."""


def extracted(page: bytes, url: str) -> Extraction:
    return extract(FetchedPage(url=url, html=page, now=NOW))


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    directory = tmp_path_factory.mktemp("pages")
    write_pages(directory)
    pages = read_truth(directory)
    assert len(pages) >= 120
    return evaluation(list(evaluated(directory, pages, extracted)))


def test_texts_of_every_layout_are_found(result: Evaluation) -> None:
    assert set(result.classes) == set(LAYOUTS)
    low = {n: s.f1 for n, s in result.classes.items() if s.f1 < HARD.get(n, 0.99)}
    assert low == {}
    assert result.all.f1 > 0.99


def test_titles_dates_languages_and_canonical_urls_are_right(result: Evaluation) -> None:
    assert result.all.right == dict.fromkeys(("title", "date", "language", "canonical_url"), 1.0)


def test_few_texts_are_in_doubt(result: Evaluation) -> None:
    assert result.methods["blocks"] > 0.95 * result.all.pages


HOSTILE: dict[str, Callable[[int], str]] = {
    "paragraphs": lambda n: "<p>text of a paragraph that is long enough</p>" * n,
    "containers": lambda n: "<div class=a><p>text of a paragraph that is long enough</div>" * n,
    "hints": lambda n: f"<div class=entry-content>{'text of a story ' * 9}</div>" * n,
    "noise": lambda n: f"<h1>t</h1><article><div class=ad>{'text of an ad ' * 9}</div>" * n,
    "titles": lambda n: "<h1>title</h1><p class=lead>text of a paragraph that is long</p>" * n,
    "nested": lambda n: f"<div class=x>{'<b>' * 90}text{'</b>' * 90}</div>" * (n // 90),
    "breaks": lambda n: "text<br>" * n,
    "cells": lambda n: f"<table><tr>{'<td>text' * n}</table>",
    "names": lambda n: "".join(f"<p class=a{i}-ad-{i} id=x{i}>text" for i in range(n)),
}


def lines_run(call: Callable[[], object]) -> int:
    """The number of lines of Python that a call runs; each turn of a loop counts."""
    count = 0

    def trace(_: FrameType, event: str, __: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


@each_row("name", list(HOSTILE))
def test_work_grows_with_the_size_of_a_page(name: str) -> None:
    """Four times the page is four times the work: 16 times if it grew with the square."""
    work = []
    for size in (500, 2_000):
        tree = html.document_fromstring(f"<html><body>{HOSTILE[name](size)}</body></html>")
        work.append(lines_run(partial(read, tree)))
    assert 0 < work[1] < 5 * work[0], work
