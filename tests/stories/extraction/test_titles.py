"""The title of a story."""

import pytest
from lxml import html

from indexer.stories.extraction.titles import normalized_title, story_title
from tests.each_row import each_row

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
