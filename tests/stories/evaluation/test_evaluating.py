"""Scores of the pages of a folder."""

from pathlib import Path

from indexer.errors import Discard
from indexer.stories.evaluation.evaluating import evaluated, evaluation
from indexer.stories.evaluation.truth import LabelledPage
from indexer.stories.extraction.pages import Extraction
from indexer.stories.story import ContentMetadata

PAGES = [
    LabelledPage(file="a.html", text="one two three four", class_="plain", title="T", date=None),
    LabelledPage(file="b.html", text="one two three four", class_="short", title="T"),
]


def extract(html: bytes, url: str) -> Extraction:
    assert url
    if html == b"b.html":
        raise Discard("too-short", "3 characters")
    metadata = ContentMetadata(
        text_content="One two three four.", article_title="T", text_extraction_method="blocks"
    )
    return Extraction(metadata=metadata, encoding="utf-8", rung="meta", bom=0)


def test_a_refused_page_has_empty_values_and_its_status(tmp_path: Path) -> None:
    for page in PAGES:
        (tmp_path / page.file).write_text(page.file, encoding="utf-8")
    found = list(evaluated(tmp_path, PAGES, extract))
    result = evaluation(found)
    assert result.methods == {"blocks": 1, "too-short": 1}
    assert (result.classes["plain"].f1, result.classes["short"].f1) == (1, 0)
    assert result.all.right == {"title": 0.5, "date": 1.0}
