"""The options of test mode: without a broker, whatever the environment says."""

from pathlib import Path

import pytest

from indexer.programs.settings import AppOptions, ProducerOptions, WorkerOptions
from indexer.programs.start import OpensBroker
from indexer.stories.tools.story_file_options import StoryFileOptions
from indexer.stories.tools.story_files import StoryFileBroker
from indexer.system.options import CommandLine
from tests.stories.archived import archive


class Loop(AppOptions, WorkerOptions, ProducerOptions):
    """Options of the loops of programs."""


def parse(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> tuple[StoryFileOptions, Loop]:
    """The options of a program in an environment, and those of its loop."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    line = CommandLine("work", "", [StoryFileOptions, Loop], [])
    return line.take(StoryFileOptions), line.take(Loop)


ELSEWHERE = {
    "BROKER_URL": "amqp://nowhere.invalid/",
    "DEPLOYMENT_ID": "mc-configuration-1",
    "BREADCRUMB_EXCHANGE": "pipeview-in",
    "WATCH_QUEUES": "fetcher-in",
    "MIN_DISK_FREE": "101",
}


def test_nothing_of_the_environment_is_needed_or_heeded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    prefix = tmp_path / "a"
    options, loop = parse(monkeypatch, ELSEWHERE | {"TEST_FILE_PREFIX": str(prefix)})
    assert (loop.deployment_id, loop.breadcrumb_exchange) == ("", "")
    assert loop.until_empty
    assert loop.watch_queues == []
    assert loop.min_disk_free == 0.0
    Path(f"{prefix}-in.warc.gz").write_bytes(archive([]))
    assert isinstance(options, OpensBroker)
    opened = options.other_broker("work", reads=True)
    assert opened
    with opened as broker:
        assert isinstance(broker, StoryFileBroker)


def test_without_a_prefix_options_are_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    options, loop = parse(monkeypatch, {"DEPLOYMENT_ID": "x"})
    assert (loop.deployment_id, loop.until_empty) == ("x", False)
    assert options.other_broker("work", reads=True) is None
