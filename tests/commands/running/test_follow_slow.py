"""`story-indexer follow`: what newspapers write meanwhile is indexed and archived, once."""

import io
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from indexer.commands.running.plan import alone
from indexer.stories.archiving.story_archive_reader import ArchivedStory, read_stories
from newsroom.growing import Growing
from newsroom.server import Newsroom
from tests.commands.following import Followed, wait_for

PAGE = "http://harbour-herald.example/"
"""The front page of a newspaper, which names its feed."""


@dataclass(frozen=True)
class Twice:
    """Two runs, one after the other: the first was stopped, the second ended by itself."""

    first: dict[str, Any]
    first_stories: list[str]
    second: dict[str, Any]
    second_stories: list[str]
    notes: str

    @property
    def archived(self) -> Counter[str]:
        """How often each URL is in the archives of both."""
        files = [*self.first["warc_files"], *self.second["warc_files"]]
        return Counter(url for file in files for url in _archived(file))


def _archived(url: str) -> Iterator[str]:
    for found in read_stories(io.BytesIO(Path(url.removeprefix("file://")).read_bytes())):
        assert isinstance(found, ArchivedStory)
        yield found.uri


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> Twice:
    data = tmp_path_factory.mktemp("followed")
    growing = Growing(first=1)
    opml = data / "feeds.opml"
    outlines = "".join(f'<outline xmlUrl="{url}"/>' for url in growing.site.inputs)
    opml.write_text(f'<opml version="2.0"><body>{outlines}</body></opml>')
    with Newsroom(site=growing.site) as room:
        followed = Followed(data, room)
        with followed.running(PAGE, str(opml)) as running:
            _wait(followed, growing.listed)
            growing.publish()
            followed.poll_soon()
            _wait(followed, growing.listed)
            first = running.stop()
        before = growing.listed
        more = growing.publish()
        followed.poll_soon()
        ended = followed.run("--once")
        assert followed.has_indexed(growing.listed)
    return Twice(first, before, json.loads(ended.stdout), more, ended.stderr.decode())


def _wait(followed: Followed, urls: list[str]) -> None:
    wait_for(lambda: followed.has_indexed(urls))


def test_what_newspapers_write_meanwhile_is_indexed_and_archived(twice: Twice) -> None:
    number = len(twice.first_stories)
    assert number == 2 * twice.first["feeds"]
    assert (twice.first["new_stories"], twice.first["indexed"]) == (number, number)
    assert twice.first["archived"] == number
    assert set(twice.archived) >= set(twice.first_stories)


def test_a_page_and_a_list_that_name_the_same_feed_are_one_feed(twice: Twice) -> None:
    assert twice.first["feeds"] == twice.second["feeds"] == 4


def test_the_next_run_goes_on_with_the_feeds_it_has_and_takes_only_what_is_new(
    twice: Twice,
) -> None:
    number = len(twice.second_stories)
    assert twice.second["fetched"] == twice.second["feeds"]
    assert (twice.second["new_stories"], twice.second["indexed"]) == (number, number)
    assert (twice.second["archived"], twice.second["left"]) == (number, 0)


def test_no_story_is_archived_twice(twice: Twice) -> None:
    assert twice.archived == Counter([*twice.first_stories, *twice.second_stories])


def test_nothing_failed_and_nothing_was_dropped(twice: Twice) -> None:
    for summary in (twice.first, twice.second):
        assert (summary["failures"], summary["dropped"]) == ({}, {})


def test_without_a_terminal_it_tells_what_happens_in_lines(twice: Twice) -> None:
    assert "feeds 4" in twice.notes
    assert "indexed" in twice.notes


@pytest.fixture
def followed(tmp_path: Path) -> Iterator[Followed]:
    with Newsroom(site=Growing(first=1).site) as room:
        yield Followed(tmp_path / "data", room)


def test_without_any_feed_it_says_what_to_do(followed: Followed) -> None:
    ended = followed.run(status=2)
    assert b"no feeds to follow: name some, `story-indexer follow https://" in ended.stderr


def test_what_is_no_feed_is_told(followed: Followed) -> None:
    ended = followed.run(f"{PAGE}robots.txt", status=1)
    assert b"not followed: http://harbour-herald.example/robots.txt" in ended.stderr
    assert b"none of the names is a feed" in ended.stderr


def test_for_some_seconds_it_polls_and_then_ends_with_all_that_was_found(
    followed: Followed,
) -> None:
    ended = followed.run(PAGE, "--for", "5")
    summary = json.loads(ended.stdout)
    assert summary["feeds"] == 1
    assert summary["new_stories"] == summary["indexed"] == summary["archived"]
    assert summary["left"] == 0


def test_there_is_one_at_a_time_in_a_data_directory(followed: Followed) -> None:
    with alone(followed.data):
        ended = followed.run(PAGE, status=2)
    assert b"another run is using" in ended.stderr
