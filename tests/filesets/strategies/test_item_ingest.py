"""The lock of an item: an ingest that waits for another one can be stopped."""

from pathlib import Path

import pytest

from indexer.errors import JobInterrupted
from indexer.filesets.strategies.item_ingest import item_lock
from indexer.filesets.strategies.strategy import FileProgress


def test_an_ingest_that_waits_for_another_one_of_the_item_can_be_stopped(tmp_path: Path) -> None:
    def stop(progress: FileProgress) -> None:
        raise JobInterrupted(progress.path)

    working = tmp_path / "item"
    with (
        item_lock(working, stop),
        pytest.raises(JobInterrupted, match="another ingest"),
        item_lock(working, stop),
    ):
        pass
    with item_lock(working, stop):
        pass
