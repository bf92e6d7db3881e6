"""Archives of any stories, as they are read."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.stories.archiving.story_archive_reader import ArchivedStory
from indexer.stories.story import Story
from tests.stories.archived import archive
from tests.stories.archiving.test_story_archive_reader import read_bytes
from tests.stories.strategies import stories


@given(st.lists(stories(), max_size=3))
@settings(max_examples=60, deadline=None)
def test_any_story_comes_back(given_stories: list[Story]) -> None:
    found = read_bytes(archive(given_stories))
    assert [json.dumps(each.metadata) for each in found if isinstance(each, ArchivedStory)] == [
        json.dumps(story.metadata()) for story in given_stories
    ]
    for each, story in zip(found, given_stories, strict=True):
        assert isinstance(each, ArchivedStory)
        assert each.story.raw_html.html == story.raw_html.html
        assert each.story.http_metadata == story.http_metadata
        assert each.story.rss_entry == story.rss_entry
