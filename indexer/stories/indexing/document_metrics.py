"""Metrics of the documents made from stories (stories.md 2.6)."""

from datetime import datetime

from indexer.metrics import counter
from indexer.search import Document
from indexer.stories.extraction.dates import bounded_date
from indexer.stories.indexing.documents import OPTIONAL_FIELDS, missing
from indexer.stories.story import Story

PUB_DATE = counter("pub_date", "publication dates of stories, by source", "status")
TITLE_LENGTH = counter("title_len", "titles: intact or empty; none is cut", "status")
STORY_LENGTH = counter("story_len", "texts: intact or empty; none is cut", "status")
CHECKED = counter("field_check.stories", "stories whose fields were checked")
MISSING = {
    field: counter(f"field_check.missing.{field}", f"stories without {field}")
    for field in ("url", "text_content", *OPTIONAL_FIELDS)
}
REQUIRED = {"no-url": "url", "no-text": "text_content"}
"""The required field that a refused story lacks, by its status."""


def measure(story: Story, document: Document, now: datetime) -> None:
    """Count the document of a story."""
    absent = missing(document)
    CHECKED.add()
    for field in absent:
        MISSING[field].add()
    PUB_DATE.add(status=_origin_of_date(story, document, now))
    TITLE_LENGTH.add(status="empty" if "article_title" in absent else "intact")
    STORY_LENGTH.add(status="intact")


def measure_refusal(status: str) -> None:
    """Count a story for which no document can be made, by its status."""
    if status not in REQUIRED:
        return
    CHECKED.add()
    MISSING[REQUIRED[status]].add()
    if status == "no-text":
        STORY_LENGTH.add(status="empty")


def _origin_of_date(story: Story, document: Document, now: datetime) -> str:
    if document.publication_date is None:
        return "none"
    extracted = bounded_date(story.content_metadata.publication_date, now)
    return "extracted" if extracted else "rss"
