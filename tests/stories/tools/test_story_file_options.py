"""The options of test mode: without a broker, whatever the environment says."""

from pathlib import Path

import pytest

from indexer.programs.settings import BatchOptions, ProducerOptions, WorkerOptions
from indexer.stories.tools.story_file_queues import StoryFileBroker
from indexer.stories.tools.story_files import StoryFileOptions
from tests.stories.archived import archive


class OfWorker(StoryFileOptions, WorkerOptions):
    """What a worker can be told."""


class OfBatch(StoryFileOptions, BatchOptions):
    """What a batch worker can be told."""


class OfProducer(StoryFileOptions, ProducerOptions):
    """What a producer can be told."""


ELSEWHERE = {
    "BROKER_URL": "amqp://nowhere.invalid/",
    "DEPLOYMENT_ID": "mc-configuration-1",
    "BREADCRUMB_EXCHANGE": "pipeview-in",
    "WATCH_QUEUES": "fetcher-in",
    "MIN_DISK_FREE": "101",
}


@pytest.mark.parametrize("kind", [OfWorker, OfBatch, OfProducer])
def test_nothing_of_the_environment_is_needed_or_heeded(
    kind: type[StoryFileOptions], tmp_path: Path
) -> None:
    prefix = tmp_path / "a"
    options = kind.of(ELSEWHERE | {"TEST_FILE_PREFIX": str(prefix)})
    assert (options.deployment_id, options.breadcrumb_exchange) == ("", "")
    assert getattr(options, "until_empty", True)
    assert getattr(options, "watch_queues", []) == []
    assert getattr(options, "min_disk_free", 0.0) == 0.0
    Path(f"{prefix}-in.warc.gz").write_bytes(archive([]))
    with options.opened("work") as broker:
        assert isinstance(broker, StoryFileBroker)


def test_without_a_prefix_options_are_as_ever(tmp_path: Path) -> None:
    options = OfWorker.of({"DATAROOT": str(tmp_path), "DEPLOYMENT_ID": "x"})
    assert (options.deployment_id, options.until_empty) == ("x", False)
    with options.opened("work") as broker:
        assert not isinstance(broker, StoryFileBroker)
