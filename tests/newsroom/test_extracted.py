"""Extraction finds what is expected of the sample newspapers."""

import re
from datetime import UTC, datetime

from indexer.stories.extraction.extraction import extract
from indexer.stories.extraction.pages import FetchedPage
from newsroom.expected import Document
from tests.each_row import each_row
from tests.newsroom.test_expected import EXPECTED, REPLIES

NOW = datetime(2026, 11, 22, tzinfo=UTC).timestamp()


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@each_row("document", EXPECTED.documents)
def test_the_text_has_all_paragraphs_and_no_boilerplate(document: Document) -> None:
    page = FetchedPage(
        url=document.url,
        html=REPLIES[document.url].body,
        known_charset=document.encoding,
        now=NOW,
    )
    found = extract(page).metadata
    assert (found.article_title, found.language) == (document.title, document.language)
    text = flat(found.text_content or "")
    assert [each for each in document.contains if flat(each) not in text] == []
    assert [each for each in document.lacks if flat(each) in text] == []
