"""Documents kept in files for a person to examine."""

from datetime import datetime
from pathlib import Path

import pytest

from indexer.errors import StorageError
from indexer.feeds.fetching.kept_bodies import KeptBodies

AT = datetime(2024, 6, 2, 12)


def test_each_part_is_a_file_named_by_time_and_feed(tmp_path: Path) -> None:
    KeptBodies(tmp_path / "a" / "b").keep(7, AT, [b"one", b"two"])
    found = {path.name: path.read_bytes() for path in (tmp_path / "a" / "b").iterdir()}
    assert found == {"20240602T120000-7-0": b"one", "20240602T120000-7-1": b"two"}


def test_the_oldest_are_deleted(tmp_path: Path) -> None:
    kept = KeptBodies(tmp_path, most=2)
    for day in (3, 1, 2):
        kept.keep(day, AT.replace(day=day), [b""])
    assert sorted(path.name[:8] for path in tmp_path.iterdir()) == ["20240602", "20240603"]


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError):
        KeptBodies(tmp_path / "file").keep(1, AT, [b""])
