"""What the index holds of a story."""

from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from indexer.errors import Discard, Quarantine
from indexer.metrics import attached
from indexer.news.normalized_urls import unique_url_hash
from indexer.search import Document
from indexer.stories.indexing.documents import document, missing
from indexer.stories.indexing.fields import indexed_date
from indexer.stories.story import NEED_CANONICAL_URL, ContentMetadata, RSSEntry, Story
from tests.each_row import each_row
from tests.metrics.sinks import Heard
from tests.stories.archived import a_story
from tests.workers.stories.test_importer import make

NOW = datetime(2024, 5, 2, 10, 30, tzinfo=UTC)
URL = "https://www.site.example/news/1?b=2"


def a_page(**fields: str | None) -> Story:
    values: dict[str, str | None] = {"url": URL, "text_content": "Some text", **fields}
    return Story(content_metadata=ContentMetadata(**values))  # type: ignore[arg-type]  # texts only


def test_a_story_has_one_document() -> None:
    story = a_story(1)
    assert document(story, NOW) == Document(
        unique_url_hash("https://site.example/news/1"), {}
    ).replace(
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
    assert made.get("publication_date") == "2024-05-01"
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


def test_a_story_without_a_url_has_that_of_its_page() -> None:
    story = a_page(url=" ")
    story.http_metadata.final_url = URL
    assert document(story, NOW).id == unique_url_hash(URL)
    assert document(story, NOW).get("url") == URL
    assert document(story, NOW).get("canonical_domain") == "site.example"


def test_the_placeholder_is_no_url() -> None:
    story = a_page(url=None)
    story.http_metadata.final_url = NEED_CANONICAL_URL
    with pytest.raises(Quarantine, match="no-url"):
        document(story, NOW)


def test_a_url_that_is_none_is_dropped() -> None:
    with pytest.raises(Discard, match="bad-url"):
        document(a_page(url="http://[half"), NOW)


@pytest.mark.parametrize(
    ("title", "kept"), [("  A title\n", "A title"), (" \t\u3000", None), (None, None)]
)
def test_a_title_of_white_space_is_none(title: str | None, kept: str | None) -> None:
    assert document(a_page(article_title=title), NOW).get("article_title") == kept


@pytest.mark.parametrize(
    ("domain", "kept"), [("a.example", "a.example"), (None, "site.example"), ("", "site.example")]
)
def test_a_domain_that_is_not_known_is_that_of_the_url(domain: str | None, kept: str) -> None:
    assert document(a_page(canonical_domain=domain), NOW).get("canonical_domain") == kept


def test_the_whole_text_is_indexed() -> None:
    text = "नमस्ते " * 100_000
    assert document(a_page(text_content=text), NOW).get("text_content") == text


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
    absent = ["publication_date", "article_title", "language"]
    assert missing(document(a_page(), NOW)) == absent


def counted(root: Path, story: Story) -> Counter[str]:
    """The names of what the importer counts of a story, with their labels."""
    heard = Heard()
    worker = make(root)
    with attached(heard), suppress(Quarantine):
        worker.add(story)
    return Counter(".".join((name, *labels)) for name, _, labels in heard.numbers)


def parsed(**content: str) -> Story:
    return Story(content_metadata=ContentMetadata(**content))  # type: ignore[arg-type]  # texts


WHOLE = Counter(
    ["field_check.stories", "pub_date.extracted", "title_len.intact", "story_len.intact"]
)


def test_a_story_that_has_all_is_counted_once(tmp_path: Path) -> None:
    assert counted(tmp_path, a_story()) == WHOLE


def test_each_field_that_is_missing_has_a_counter_of_its_name(tmp_path: Path) -> None:
    url = "https://site.example/1"
    assert counted(tmp_path, parsed(url=url, text_content="x", canonical_domain="x")) == Counter(
        [
            "field_check.stories",
            "field_check.missing.article_title",
            "field_check.missing.language",
            "field_check.missing.publication_date",
            "pub_date.none",
            "title_len.empty",
            "story_len.intact",
        ]
    )


@pytest.mark.parametrize(
    ("story", "names"),
    [
        (parsed(text_content="x"), ["field_check.stories", "field_check.missing.url"]),
        (
            parsed(url="https://site.example/1"),
            ["field_check.stories", "field_check.missing.text_content", "story_len.empty"],
        ),
    ],
)
def test_what_can_be_no_document_is_counted_too(
    tmp_path: Path, story: Story, names: list[str]
) -> None:
    assert counted(tmp_path, story) == Counter(names)


@pytest.mark.parametrize(
    ("page", "feed", "status"),
    [
        ("2024-04-30", "Tue, 30 Apr 2024 10:00:00 GMT", "extracted"),
        ("1812-01-01", "Tue, 30 Apr 2024 10:00:00 GMT", "rss"),
        (None, "Tue, 30 Apr 2024 10:00:00 GMT", "rss"),
        (None, "sometime", "none"),
    ],
)
def test_where_a_date_is_from_is_counted(
    tmp_path: Path, page: str | None, feed: str, status: str
) -> None:
    story = a_story()
    story.content_metadata.publication_date = page
    story.rss_entry = RSSEntry(pub_date=feed)
    assert counted(tmp_path, story)[f"pub_date.{status}"] == 1
