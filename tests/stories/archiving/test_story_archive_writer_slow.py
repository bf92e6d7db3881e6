"""Archives of any stories, as they are written and as other programs read them."""

import io
import json
import subprocess
import sys
from pathlib import Path

from fastwarc.warc import ArchiveIterator as FastIterator
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from indexer.stories.archiving.story_archive_verifier import verify
from indexer.stories.story import Story
from tests.stories.archived import NAME, a_story, archive
from tests.stories.archiving.test_story_archive_writer import records
from tests.stories.strategies import stories


@given(st.lists(stories(), max_size=3))
@settings(max_examples=60, deadline=None)
def test_any_story_makes_a_sound_archive(given_stories: list[Story]) -> None:
    data = archive(given_stories)
    verdict = verify(io.BytesIO(data))
    assert verdict.faults == []
    assert verdict.records == 2 * len(given_stories) + 1
    found = records(data)
    assert [json.loads(each.block) for each in found[2::2]] == [
        story.metadata() for story in given_stories
    ]
    assert [each.http()[1] for each in found[1::2]] == [
        story.raw_html.html for story in given_stories
    ]


@given(st.lists(stories(), max_size=3))
@settings(max_examples=30, deadline=None)
def test_warcio_and_fastwarc_read_what_is_written(given_stories: list[Story]) -> None:
    for story in given_stories:
        # warcio takes the header of other schemes for a part of the page.
        story.http_metadata.final_url = f"http://site.example/{story.http_metadata.final_url}"
    data = archive(given_stories)
    pages = [story.raw_html.html for story in given_stories]
    theirs = [
        each.content_stream().read()
        for each in ArchiveIterator(io.BytesIO(data), check_digests="raise")
        if each.rec_type == "response"
    ]
    assert theirs == pages
    fast = list(FastIterator(io.BytesIO(data), verify_digests=True, parse_http=False))
    assert len(fast) == 2 * len(pages) + 1


def test_warcio_check_finds_nothing(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_bytes(archive([a_story(number, b"x" * number * 10_000) for number in range(5)]))
    command = [sys.executable, "-m", "warcio.cli", "check", "-v", str(path)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0
    assert checked.stdout.count("digest pass") == 11
