"""The extraction library finds what is expected of the sample newspapers."""

import re

import mcmetadata

from newsroom.expected import Document
from tests.each_row import each_row
from tests.newsroom.test_expected import EXPECTED, REPLIES


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@each_row("document", EXPECTED.documents)
def test_the_extraction_library_finds_what_is_expected(document: Document) -> None:
    html = REPLIES[document.url].body.decode(document.encoding)
    found = mcmetadata.extract(document.url, html)
    day = found["publication_date"]
    assert found["article_title"] == document.title
    assert (str(day.date()) if day else None) == (
        document.publication_date if document.date_on_page else None
    )
    assert found["language"] == document.language
    assert document.canonical_url in {None, found["canonical_url"]}
    text = flat(found["text_content"])
    assert [each for each in document.contains if flat(each) not in text] == []
    assert [each for each in document.lacks if flat(each) in text] == []
