"""Dropped stories: archived with the reason, if PARSER_ARCHIVE_DROPS is on, and parsed again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests import services
from tests.commands.sample import EXPECTED, Backends, look, real_backends, run

ON = ("--set", "PARSER_ARCHIVE_DROPS=true")
LENIENT = ("PARSER_MIN_TEXT=20", "PARSER_HOMEPAGE_RULE=off", "IMPORTER_CREATE_ABSENT=true")
WITH_PAGE = {"homepage": 1, "too-short": 1}


class Dropped(NamedTuple):
    """A run of the sample with the option: its summary, and where its stores are."""

    summary: dict[str, Any]
    backends: Backends
    data: Path

    def run(self, flavor: str, *arguments: str) -> dict[str, Any]:
        """Another flavor's run of the archive of dropped stories, with the option."""
        [drops] = drops_of(self.summary)
        return run(self.data, self.backends, "--type", flavor, drops, "--force", *ON, *arguments)


def drops_of(summary: dict[str, Any]) -> list[str]:
    return [url for url in summary["warc_files"] if "/dropped-" in url]


@pytest.fixture(
    scope="module", params=["embedded", pytest.param("real", marks=pytest.mark.external)]
)
def dropped(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Dropped]:
    data = tmp_path_factory.mktemp("dropped")
    if request.param == "embedded":
        backends = Backends.embedded(data)
        yield Dropped(run(data, backends, *ON), backends, data)
        return
    for name in ("rabbitmq", "elasticsearch", "s3"):
        services.require(name)
    with real_backends() as backends:
        yield Dropped(run(data, backends, *ON), backends, data)


def test_stories_that_the_parser_drops_are_archived_with_the_reason(dropped: Dropped) -> None:
    drops = dropped.summary | {"warc_files": drops_of(dropped.summary)}
    archived = look(drops, dropped.backends).archived.values()
    reasons = [story.metadata["dropped"] for story in archived]
    assert sorted(each["status"] for each in reasons) == sorted(WITH_PAGE)
    assert {each["by"] for each in reasons} == {"parser"}
    assert all(story.story.raw_html.html for story in archived)


def test_every_story_counts_once(dropped: Dropped) -> None:
    summary = dropped.summary
    assert summary["accounted"]
    assert summary["indexed"] == summary["done"]["archived"] == len(EXPECTED.documents)
    assert summary["discarded"] == EXPECTED.discarded_by_status
    assert summary["done"]["drops archived"] == sum(WITH_PAGE.values())
    assert summary["left"] == summary["unarchived"] == 0


def test_dropped_stories_that_are_imported_are_not_indexed(dropped: Dropped) -> None:
    summary = dropped.run("archive")
    assert summary["discarded"] == {"was-dropped": sum(WITH_PAGE.values())}
    assert summary["indexed"] == 0


def test_dropped_stories_are_parsed_again_and_archived_only_once(dropped: Dropped) -> None:
    again = dropped.run("reparse")
    assert again["discarded"] == WITH_PAGE
    assert again["warc_files"] == []
    lenient = dropped.run("reparse", *(word for each in LENIENT for word in ("--set", each)))
    assert lenient["discarded"] == {}
    assert lenient["indexed"] == sum(WITH_PAGE.values())
