"""Makes the search index's document of a story, which stays unchanged (stories.md 7.2).

The metrics of documents are those of stories.md 2.6.
"""

from datetime import datetime

from indexer.errors import Quarantine
from indexer.metrics import counter
from indexer.news.normalized_urls import unique_url_hash
from indexer.search import Document
from indexer.stories.extraction.dates import bounded_date
from indexer.stories.indexing.fields import STORY_FIELDS, TABLE, indexed_url, stripped
from indexer.stories.story import NEED_CANONICAL_URL, Story

OPTIONAL_FIELDS = tuple(field.name for field in STORY_FIELDS.fields if not field.required)
"""Fields that a document may lack."""

REQUIRED = {"no-url": "url", "no-text": "text_content"}
"""The required field that a refused story lacks, by its status."""

PUB_DATE = counter("pub_date", "publication dates of stories, by source", "status")
TITLE_LENGTH = counter("title_len", "titles: intact or empty; none is cut", "status")
STORY_LENGTH = counter("story_len", "texts: intact or empty; none is cut", "status")
CHECKED = counter("field_check.stories", "stories whose fields were checked")
MISSING = {
    field: counter(f"field_check.missing.{field}", f"stories without {field}")
    for field in (*REQUIRED.values(), *OPTIONAL_FIELDS)
}


def document(story: Story, now: datetime) -> Document:
    """The document of a story imported at `now`, with its whole text.

    Raises Quarantine("no-url" or "no-text"), Discard("bad-url").
    """
    url = indexed_url(story)
    # The placeholder's document id would be that of all stories whose URL was not found.
    if url is None or url == NEED_CANONICAL_URL:
        raise Quarantine("no-url", "neither content_metadata nor http_metadata has a URL")
    if stripped(story.content_metadata.text_content) is None:
        raise Quarantine("no-text", "content_metadata has no text")
    id = unique_url_hash(url)
    found = {field.name: value(story, now) for field, value in TABLE.items()}
    return Document(id, {name: value for name, value in found.items() if value is not None})


def missing(document: Document) -> list[str]:
    """The optional fields that a document lacks."""
    return [name for name in OPTIONAL_FIELDS if document.get(name) is None]


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
    if document.get("publication_date") is None:
        return "none"
    extracted = bounded_date(story.content_metadata.publication_date, now)
    return "extracted" if extracted else "rss"
