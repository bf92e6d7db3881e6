"""Results in a file a day: nothing is lost, and all can be read again."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from indexer.errors import StorageError
from indexer.filesets.results.dated_lines import FILESETS, DatedLines

NOW = datetime(2026, 11, 22, 23, 59, tzinfo=UTC)


def test_results_of_all_days_are_read_again(tmp_path: Path) -> None:
    for at in range(3):
        now = NOW + timedelta(minutes=at)
        DatedLines(tmp_path, FILESETS, lambda now=now: now).append({"at": at})  # type: ignore[misc]
    assert sorted(path.name for path in tmp_path.glob("*.jsonl")) == [
        "ingest-fileset-results-2026-11-22.jsonl",
        "ingest-fileset-results-2026-11-23.jsonl",
    ]
    assert [each["at"] for each in DatedLines(tmp_path, FILESETS).read()] == [0, 1, 2]


def test_the_half_line_of_a_dead_process_is_skipped(tmp_path: Path) -> None:
    kept = DatedLines(tmp_path, FILESETS, lambda: NOW)
    kept.append({"path": "\ud800"})
    (path,) = tmp_path.glob("*.jsonl")
    path.write_bytes(path.read_bytes() + b'{"at": ')
    kept.append({"at": 2})
    assert [*kept.read()] == [{"path": "\ud800"}, {"at": 2}]


def test_a_place_that_can_t_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError):
        DatedLines(tmp_path / "file", FILESETS).append({})
