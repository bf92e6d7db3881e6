"""Stories to archive, and archives of them, the same every time."""

import io
from collections.abc import Sequence
from datetime import UTC, datetime

from indexer.stories.story import ContentMetadata, HTTPMetadata, RawHTML, RSSEntry, Story
from indexer.stories.story_archive_writer import StoryArchiveWriter
from tests.warc.records import numbered_ids

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
NAME = "mc-20240501120000-1-host.warc.gz"


def a_story(number: int = 1, html: bytes = b"<p>page</p>") -> Story:
    """A parsed story, different for each number."""
    url = f"https://site.example/news/{number}"
    return Story(
        rss_entry=RSSEntry(link=f"{url}?from=rss", title="In the feed", source_feed_id=7),
        http_metadata=HTTPMetadata(
            response_code=200, fetch_timestamp=1714500000.75, final_url=url, encoding="utf-8"
        ),
        content_metadata=ContentMetadata(
            original_url=url,
            url=url,
            canonical_domain="site.example",
            publication_date="2024-04-30",
            language="ur",
            article_title=f"عنوان {number}",
            text_content="متن " * 100,
            parsed_date=f"2024-05-01T11:00:00.{number:06d}",
            is_homepage=False,
        ),
        raw_html=RawHTML(html=html, encoding="utf-8"),
    )


def archive(stories: Sequence[Story]) -> bytes:
    """An archive with fixed ids and times."""
    file = io.BytesIO()
    writer = StoryArchiveWriter(file, NAME, host="host", clock=lambda: NOON, new_id=numbered_ids())
    for story in stories:
        writer.write(story)
    return file.getvalue()
