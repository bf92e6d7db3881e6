"""What dashboards show of the documents that stories become (stories.md 2.6)."""

from datetime import datetime

from indexer.metrics import counter
from indexer.search import Document
from indexer.stories.extraction.dates import bounded_date
from indexer.stories.indexing.documents import OPTIONAL_FIELDS, missing
from indexer.stories.story import Story

PUB_DATE = counter("pub_date", "where stories have their publication dates from", "status")
TITLE_LENGTH = counter("title_len", "titles: intact or empty; none is cut", "status")
STORY_LENGTH = counter("story_len", "texts: intact or empty; none is cut", "status")
CHECKED = counter("field_check.stories", "stories whose fields were looked at")
MISSING = {
    field: counter(f"field_check.missing.{field}", f"stories without {field}")
    for field in ("url", "text_content", *OPTIONAL_FIELDS)
}
REQUIRED = {"no-url": "url", "no-text": "text_content"}
"""The field that is missing, by the status of a story that can be no document."""


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
    """Count a story that can be no document, by the status that it gets."""
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
