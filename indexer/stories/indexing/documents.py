"""Makes the search index's document of a story, which stays unchanged (stories.md 7.2).

The metrics of documents are those of stories.md 2.6.
"""

from datetime import UTC, datetime

from indexer.errors import Quarantine
from indexer.metrics import counter
from indexer.news.canonical_domains import canonical_domain
from indexer.news.normalized_urls import unique_url_hash
from indexer.search import Document
from indexer.search.language.dates import moment
from indexer.stories.extraction.dates import bounded_date, publication_date
from indexer.stories.story import NEED_CANONICAL_URL, Story

OPTIONAL_FIELDS = ("article_title", "canonical_domain", "language", "publication_date")
"""Fields that a document may lack."""

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


def document(story: Story, now: datetime) -> Document:
    """The document of a story imported at `now`, with its whole text.

    Raises Quarantine("no-url" or "no-text"), Discard("bad-url").
    """
    content = story.content_metadata
    url = _stripped(content.url)
    # The placeholder's document id would be that of all stories whose URL was not found.
    if url is None or url == NEED_CANONICAL_URL:
        raise Quarantine("no-url", "content_metadata has no URL")
    if _stripped(content.text_content) is None:
        raise Quarantine("no-text", "content_metadata has no text")
    return Document(
        id=unique_url_hash(url),
        url=url,
        text_content=content.text_content or "",
        indexed_date=indexed_date(content.parsed_date, now),
        article_title=_stripped(content.article_title),
        canonical_domain=_stripped(content.canonical_domain) or canonical_domain(url) or None,
        language=_stripped(content.language),
        publication_date=publication_date(story, now),
    )


def indexed_date(parsed_date: str | None, now: datetime) -> str:
    """The time of parsing, or else now: UTC, with microseconds (stories.md 1.5)."""
    known = moment(parsed_date) if parsed_date else None
    return known or now.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")


def missing(document: Document) -> list[str]:
    """The optional fields that a document lacks."""
    return [name for name in OPTIONAL_FIELDS if getattr(document, name) is None]


def _stripped(text: str | None) -> str | None:
    """The text without white space around it; None if nothing is left."""
    return (text or "").strip() or None


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
