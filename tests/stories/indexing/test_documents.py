"""What the index holds of a story."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from indexer.errors import Discard, Quarantine
from indexer.news.ids import unique_url_hash
from indexer.search import Document
from indexer.stories.indexing.documents import document, indexed_date, missing
from indexer.stories.story import NEED_CANONICAL_URL, ContentMetadata, RSSEntry, Story
from tests.each_row import each_row
from tests.stories.archived import a_story

NOW = datetime(2024, 5, 2, 10, 30, tzinfo=UTC)
URL = "https://www.site.example/news/1?b=2"


def a_page(**fields: str | None) -> Story:
    values: dict[str, str | None] = {"url": URL, "text_content": "Some text", **fields}
    return Story(content_metadata=ContentMetadata(**values))  # type: ignore[arg-type]  # texts only


def test_a_story_has_one_document() -> None:
    story = a_story(1)
    assert document(story, NOW) == Document(
        id=unique_url_hash("https://site.example/news/1"),
        url="https://site.example/news/1",
        text_content="متن " * 100,
        indexed_date="2024-05-01T11:00:00.000001",
        article_title="عنوان 1",
        canonical_domain="site.example",
        language="ur",
        publication_date="2024-04-30",
    )


def test_making_a_document_changes_no_story() -> None:
    story = a_page()
    story.rss_entry = RSSEntry(pub_date="Wed, 01 May 2024 09:00:00 GMT")
    made = document(story, NOW)
    assert made.publication_date == "2024-05-01"
    assert story.content_metadata == a_page().content_metadata


@each_row(
    ("fields", "status"),
    [
        ({"url": None}, "no-url"),
        ({"url": " "}, "no-url"),
        ({"url": NEED_CANONICAL_URL}, "no-url"),
        ({"text_content": None}, "no-text"),
        ({"text_content": ""}, "no-text"),
        ({"text_content": " \n\u00a0"}, "no-text"),
    ],
)
def test_url_and_text_are_required(fields: dict[str, str | None], status: str) -> None:
    with pytest.raises(Quarantine) as caught:
        document(a_page(**fields), NOW)
    assert caught.value.status == status


def test_a_url_that_is_none_is_dropped() -> None:
    with pytest.raises(Discard, match="bad-url"):
        document(a_page(url="http://[half"), NOW)


@pytest.mark.parametrize(
    ("title", "kept"), [("  A title\n", "A title"), (" \t\u3000", None), (None, None)]
)
def test_a_title_of_white_space_is_none(title: str | None, kept: str | None) -> None:
    assert document(a_page(article_title=title), NOW).article_title == kept


@pytest.mark.parametrize(
    ("domain", "kept"), [("a.example", "a.example"), (None, "site.example"), ("", "site.example")]
)
def test_a_domain_that_is_not_known_is_that_of_the_url(domain: str | None, kept: str) -> None:
    assert document(a_page(canonical_domain=domain), NOW).canonical_domain == kept


def test_the_whole_text_is_indexed() -> None:
    text = "नमस्ते " * 100_000
    assert document(a_page(text_content=text), NOW).text_content == text


@each_row(
    ("parsed", "indexed"),
    [
        ("2024-05-01T11:22:33.123456", "2024-05-01T11:22:33.123456"),
        ("2024-05-01 11:22:33.123456", "2024-05-01T11:22:33.123456"),
        ("2024-05-01T11:22:33", "2024-05-01T11:22:33.000000"),
        ("2024-05-01", "2024-05-01T00:00:00.000000"),
        ("2024-05-01T11:22:33+02:00", "2024-05-01T09:22:33.000000"),
        (None, "2024-05-02T10:30:00.000000"),
        ("", "2024-05-02T10:30:00.000000"),
        ("yesterday", "2024-05-02T10:30:00.000000"),
    ],
)
def test_the_indexed_date_is_when_it_was_parsed_or_else_now(
    parsed: str | None, indexed: str
) -> None:
    assert indexed_date(parsed, NOW) == indexed
    assert indexed_date(parsed, NOW.astimezone(timezone(timedelta(hours=5)))) == indexed


def test_missing_fields_are_named() -> None:
    assert missing(document(a_story(), NOW)) == []
    absent = ["article_title", "language", "publication_date"]
    assert missing(document(a_page(), NOW)) == absent
