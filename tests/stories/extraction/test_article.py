"""The title of a story, and its text, by the first extractor that finds one (stories.md 7.1)."""

from collections.abc import Iterator
from typing import Any

import pytest
from lxml import html

from indexer.errors import Discard
from indexer.stories.extraction import article as module
from indexer.stories.extraction.article import (
    Text,
    article_text,
    normalized_title,
    story_title,
    visible_length,
)
from tests.each_row import each_row
from tests.paths import DATA

STORY = DATA / "pages" / "stories" / "libraries-en.html"
LONG = html.document_fromstring(f"<p>{'word ' * 1000}</p>")
OWN, T, R, B, G, N, W, L = (
    "blocks", "trafilatura", "readability", "boilerpipe3", "goose3", "newspaper3k",
    "beautifulsoup4", "lxml",
)  # fmt: skip


def texts(**lengths: int) -> list[Text]:
    return [Text(method, "x" * length) for method, length in lengths.items()]


def answers(monkeypatch: pytest.MonkeyPatch, found: list[Text]) -> list[str]:
    """Let the extractors find this; the names of those that are asked."""
    asked: list[str] = []

    def each(*_: object) -> Iterator[Text]:
        for text in found:
            asked.append(text.method)
            yield text

    monkeypatch.setattr(module, "_texts", each)
    return asked


@pytest.mark.parametrize(
    ("found", "method", "asked"),
    [
        ({T: 201, R: 999}, T, [T]),
        ({T: 200, R: 201, B: 999}, R, [T, R]),
        ({T: 0, R: 0, B: 0, G: 0, N: 300, W: 999}, N, [T, R, B, G, N]),
        # Nobody finds the story: then the whole page is better than nothing.
        ({T: 0, R: 0, B: 0, G: 0, N: 0, W: 300, L: 400}, W, [T, R, B, G, N, W]),
        ({T: 0, R: 0, B: 0, G: 0, N: 0, W: 0, L: 400}, L, [T, R, B, G, N, W, L]),
    ],
)
def test_a_short_text_gives_the_next_extractor_its_turn(
    monkeypatch: pytest.MonkeyPatch, found: dict[str, int], method: str, asked: list[str]
) -> None:
    were_asked = answers(monkeypatch, texts(**found))
    assert article_text(LONG, "", 200).method == method
    assert were_asked == asked


@pytest.mark.parametrize(
    ("found", "status"),
    [
        ({T: 100, R: 200, B: 0, G: 50, N: 199, W: 5000, L: 5000}, "too-short"),
        ({T: 0, R: 0, B: 0, G: 0, N: 0, W: 10, L: 20}, "too-short"),
        ({T: 0, R: 0, B: 0, G: 0, N: 0, W: 0, L: 0}, "no-text"),
    ],
)
def test_a_page_without_enough_text_is_discarded(
    monkeypatch: pytest.MonkeyPatch, found: dict[str, int], status: str
) -> None:
    answers(monkeypatch, texts(**found))
    with pytest.raises(Discard) as end:
        article_text(LONG, "", 200)
    assert end.value.status == status


def test_others_are_not_asked_where_there_is_nothing_to_find(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = answers(monkeypatch, texts(trafilatura=30, readability=30))
    tree = html.document_fromstring(f"<p>A short text.</p><script>{'x' * 999}</script>")
    with pytest.raises(Discard, match="too-short"):
        article_text(tree, "", 200)
    assert asked == [T]


def test_every_extractor_finds_the_story_of_a_plain_page() -> None:
    tree = html.document_fromstring(STORY.read_bytes())
    texts = module._texts(tree, "https://www.harbourpost.example/a.html", 200)
    found = {each.method: each.text for each in texts}
    assert list(found) == [OWN, T, R, B, G, N, W, L]
    for method, text in found.items():
        assert "ending a debate that had lasted for almost four years" in text, method
        assert "<p" not in text


def test_the_tree_is_left_as_it_was() -> None:
    tree = html.document_fromstring(STORY.read_bytes())
    before = html.tostring(tree)
    article_text(tree, "https://www.harbourpost.example/a.html", 200)
    assert html.tostring(tree) == before


def opinions(monkeypatch: pytest.MonkeyPatch, second: str) -> list[str]:
    """Let trafilatura find this text; the URLs that it is asked for."""
    asked: list[str] = []

    def opinion(_: object, url: str) -> str:
        asked.append(url)
        return second

    monkeypatch.setattr(module, "second_opinion", opinion)
    return asked


def test_trafilatura_is_not_asked_without_a_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = opinions(monkeypatch, "word " * 1000)
    assert article_text(LONG, "url", 200).method == OWN
    assert asked == []


@pytest.mark.parametrize(("words", "method"), [(51, T), (49, OWN)])
def test_in_doubt_the_longer_text_counts(
    monkeypatch: pytest.MonkeyPatch, words: int, method: str
) -> None:
    asked = opinions(monkeypatch, "other " * words)
    tree = html.document_fromstring(f"<p>{'story ' * 50}")  # 299 bytes are few
    assert article_text(tree, "url", 200).method == method
    assert asked == ["url"]


def test_in_doubt_a_longer_list_of_links_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    menu = "Sport and culture " * 50
    opinions(monkeypatch, menu)
    tree: Any = html.document_fromstring(f"<nav><a href=/>{menu[:90]}</a></nav><p>{'story ' * 45}")
    tree.find(".//a").text = "Sport and culture"
    assert article_text(tree, "url", 200).method == OWN


def test_scripts_and_styles_are_not_visible() -> None:
    tree = html.document_fromstring("<style>a</style><p>12 <b> 34 </b></p><script>b</script>")
    assert visible_length(tree) == 4


TITLE = "Council votes for three libraries"


@each_row(
    ("page", "title"),
    [
        ("<title>Council votes for three libraries | The Post</title>", TITLE),
        (f'<meta property="og:title" content="{TITLE}"><title>x</title>', TITLE),
        ("<title>Bread &amp; butter are dearer again</title>", "Bread & butter are dearer again"),
        ("<title>\n  Council votes\n\tfor three libraries  </title>", TITLE),
        ("<title>Council\u2028votes for\x85 three libraries</title>", TITLE),
        ("<title>Council votes for \u202ethree libraries</title>", TITLE),
        ("<title> \n </title><h1> &nbsp; </h1>", None),
        ("<title></title><h1>Council votes for three libraries</h1>", TITLE),
        # Nothing but the page's headings.
        ("<h1>Council votes <b>for three</b> libraries</h1>", TITLE),
        ("<h2>Council votes for three libraries</h2><p>text</p>", TITLE),
        ("<p>text</p>", None),
    ],
)
def test_the_title(page: str, title: str | None) -> None:
    tree = html.document_fromstring(f"<html>{page}<p>text</p></html>")
    assert story_title(f"<html>{page}<p>text</p></html>", tree) == title


@pytest.mark.parametrize(
    ("title", "normalized"),
    [
        ("Council votes: “Yes” to Three Libraries!", "council votes: “yes” to three libraries"),
        ("...", None),
        (None, None),
    ],
)
def test_the_title_by_which_stories_are_compared(title: str | None, normalized: str | None) -> None:
    assert normalized_title(title) == normalized
