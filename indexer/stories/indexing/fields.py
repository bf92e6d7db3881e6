"""The fields of the index of stories, and the value of each: one line makes a field.

`search.language.schema` describes the attributes of a field. The order is that of exports.
"""

from collections.abc import Callable
from datetime import UTC, datetime

from indexer.search.language.dates import moment
from indexer.search.language.schema import Field, FieldType, Json, Schema, Sort
from indexer.stories.extraction.dates import publication_date
from indexer.stories.story import Story

Value = Callable[[Story, datetime], Json]
"""Returns the value of a story that is indexed at a time; None if it has none."""


def indexed_date(parsed_date: str | None, now: datetime) -> str:
    """The time of parsing, or else now: UTC, with microseconds (stories.md 1.5)."""
    known = moment(parsed_date) if parsed_date else None
    return known or now.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")


def stripped(text: str | None) -> str | None:
    """The text without white space around it; None if nothing is left."""
    return (text or "").strip() or None


def indexed_url(story: Story) -> str | None:
    """The URL of a story, or else the one that its page was fetched from."""
    return stripped(story.content_metadata.url) or stripped(story.http_metadata.final_url)


def _indexed_date(story: Story, now: datetime) -> str:
    return indexed_date(story.content_metadata.parsed_date, now)


def _title(story: Story, _: datetime) -> str | None:
    return stripped(story.content_metadata.article_title)


def _domain(story: Story, _: datetime) -> str | None:
    if known := stripped(story.content_metadata.canonical_domain):
        return known
    from indexer.news.canonical_domains import canonical_domain  # noqa: PLC0415 - loads the library

    return canonical_domain(indexed_url(story) or "") or None


def _language(story: Story, _: datetime) -> str | None:
    return stripped(story.content_metadata.language)


def _url(story: Story, _: datetime) -> str | None:
    return indexed_url(story)


def _text(story: Story, _: datetime) -> str | None:
    return story.content_metadata.text_content


T = FieldType
TABLE: dict[Field, Value] = {
    Field("publication_date", T.DATE, ("date",)): publication_date,
    Field("article_title", T.TEXT, ("title",), default=True, weight=3.0): _title,
    Field("canonical_domain", T.KEYWORD, ("domain",), lower=True, selective=True): _domain,
    Field("language", T.KEYWORD, ("lang",), lower=True): _language,
    Field("url", T.URL, required=True): _url,
    Field("indexed_date", T.TIMESTAMP, ("indexed",), required=True): _indexed_date,
    Field("text_content", T.TEXT, ("text",), required=True, default=True, exported=False): _text,
}

STORY_FIELDS = Schema(
    tuple(TABLE),
    order=(Sort("publication_date", descending=True), Sort("indexed_date", descending=True)),
    identity=("url", "indexed_date"),
    snippet="text_content",
)
"""The index of stories (stories.md 8)."""
