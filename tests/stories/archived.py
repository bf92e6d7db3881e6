"""Stories to archive, and archives of them, the same every time."""

import io
from collections.abc import Sequence
from datetime import UTC, datetime

from indexer.stories.archiving.story_archive_writer import ArchiveEntry, StoryArchiveWriter
from indexer.stories.story import ContentMetadata, HTTPMetadata, RawHTML, RSSEntry, Story
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
        writer.write(ArchiveEntry.of(story))
    return file.getvalue()


def varied(number: int) -> Story:
    """A story unlike its neighbours: what may be missing is missing now and then."""
    story = a_story(number, f"<p>page {number}</p>\r\n".encode() * (number % 9 + 1))
    entry, http, content = story.rss_entry, story.http_metadata, story.content_metadata
    content.article_title = None if number % 7 == 0 else f"Título {number}\twith a tab"
    content.language = ("ur", "es", None, "zh")[number % 4]
    content.full_language = content.language and f"{content.language}-XX"
    content.text_content = f"Número {number}: «текст», 文字. " * 20
    content.canonical_domain = None if number % 11 == 0 else f"site{number % 5}.example"
    if number % 5 == 0:
        content.publication_date = None
        entry.pub_date = "Tue, 30 Apr 2024 08:00:00 GMT" if number % 10 else None
    entry.via = f"{number}@rss.example:443"
    http.encoding = None if number % 3 else "windows-1256"
    http.fetch_timestamp = None if number % 13 == 0 else http.fetch_timestamp
    story.raw_html.encoding = http.encoding or ("utf-8" if number % 2 else None)
    return story
