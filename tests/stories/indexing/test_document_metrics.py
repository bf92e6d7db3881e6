"""What dashboards show of the documents that stories become."""

from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from indexer.errors import Quarantine
from indexer.metrics import attached
from indexer.stories.story import ContentMetadata, RSSEntry, Story
from tests.metrics.sinks import Heard
from tests.stories.archived import a_story
from tests.workers.stories.test_importer import make


def counted(root: Path, story: Story) -> Counter[str]:
    """The names of what the importer counts of a story, with their labels."""
    heard = Heard()
    worker = make(root)
    with attached(heard), suppress(Quarantine):
        worker.add(story)
    return Counter(".".join((name, *labels)) for name, _, labels in heard.numbers)


def a_page(**content: str) -> Story:
    return Story(content_metadata=ContentMetadata(**content))  # type: ignore[arg-type]  # texts


WHOLE = Counter(
    ["field_check.stories", "pub_date.extracted", "title_len.intact", "story_len.intact"]
)


def test_a_story_that_has_all_is_counted_once(tmp_path: Path) -> None:
    assert counted(tmp_path, a_story()) == WHOLE


def test_each_field_that_is_missing_has_a_counter_of_its_name(tmp_path: Path) -> None:
    url = "https://site.example/1"
    assert counted(tmp_path, a_page(url=url, text_content="x", canonical_domain="x")) == Counter(
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
        (a_page(text_content="x"), ["field_check.stories", "field_check.missing.url"]),
        (
            a_page(url="https://site.example/1"),
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
