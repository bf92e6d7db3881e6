"""Archives of any stories, as they are read."""

import json
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import asdict

from indexer.stories.archiving.story_archive_reader import ArchivedStory
from indexer.stories.story import Story
from indexer.text.cleaning import clean
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
        assert asdict(each.story.http_metadata) == cleaned(story.http_metadata)
        assert asdict(each.story.rss_entry) == cleaned(story.rss_entry)


def cleaned(part: msgspec.Struct) -> dict[str, Any]:
    """The values of a part of a story, without the characters that texts lose; URLs keep them."""
    return {
        name: clean(value)
        if isinstance(value, str) and not name.endswith(("url", "link"))
        else value
        for name, value in asdict(part).items()
    }
