"""Results and requests are stored in the database, and each line has an ending."""

import gzip
import json
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from indexer.filesets.persisting.models import ingest_file_result, ingest_request
from indexer.filesets.persisting.rows import Row
from indexer.filesets.persisting.store import FilesetStore
from tests.commands.filesets.conftest import Filesets
from tests.filesets.persisting.new_fileset_store import new_fileset_store
from tests.filesets.persisting.results import (
    BASE_URL,
    REQUEST,
    dataset_file_result,
    fileset_result,
)
from tests.filesets.zenodo_server import ZenodoServer


@pytest.fixture(autouse=True)
def database(tmp_path: Path) -> None:
    """The migrations take longer than all else."""
    new_fileset_store(f"sqlite:///{tmp_path / 'data' / 'filesets.sqlite3'}").close()


def written(path: Path, lines: Iterable[dict[str, Any]]) -> str:
    path.write_text("".join(f"{json.dumps(line)}\r\n" for line in lines), "utf-8-sig")
    return str(path)


def count(tmp_path: Path, table: Any) -> int:
    url = f"sqlite:///{tmp_path / 'data' / 'filesets.sqlite3'}"
    with closing(FilesetStore.open(url, make=False)) as store:
        return store.count(table)


def test_all_kept_results_are_stored_from_the_first_one(
    filesets: Filesets, zenodo: ZenodoServer, tmp_path: Path
) -> None:
    filesets.ingest(zenodo.add(7, {"a.csv": b"1,2"}), zenodo.add(9, {"a": b"1", "b": b"2"}))
    for _ in range(2):
        assert filesets.run("ingest-file-result").out.split() == ["3", "stored"]
    assert count(tmp_path, ingest_file_result) == 3


def test_each_line_of_a_file_has_an_ending(filesets: Filesets, tmp_path: Path) -> None:
    lines = [
        fileset_result(),
        fileset_result(status="existing"),
        fileset_result(total_size="big"),
        dataset_file_result(),
    ]
    path = written(tmp_path / "dump.jsonl", lines)
    packed = tmp_path / "more.gz"
    packed.write_bytes(gzip.compress(b"{broken\n"))
    shown = filesets.run("ingest-file-result", path, str(packed), "--json", status=1)
    assert json.loads(shown.out) == {
        "stored": 2,
        "skip-existing": 1,
        "bad-result": 1,
        "bad-message": 1,
    }
    first, second = shown.err.splitlines()
    assert f"{path}, result 3: bad-result: Expected `int | null`" in first
    assert f"{packed}, result 1: bad-message: not JSON" in second


def test_a_row_that_the_database_refuses_does_not_keep_others_out(
    filesets: Filesets, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rows(result: dict[str, Any]) -> list[Row]:
        values = {"base_url": BASE_URL, "ingest_type": "dataset", "hit": True, **result}
        return [Row(ingest_file_result, values)]

    monkeypatch.setattr("indexer.filesets.persisting.rows.rows_of", rows)
    path = written(tmp_path / "a.jsonl", [{"status": ""}, {"status": "success", "base_url": "b"}])
    shown = filesets.run("ingest-file-result", path, status=1)
    assert "1  stored" in shown.out
    assert "result 1: bad-result" in shown.err
    assert count(tmp_path, ingest_file_result) == 1


def test_requests_are_stored(filesets: Filesets, tmp_path: Path) -> None:
    other = {**REQUEST, "link_source": None}
    path = written(tmp_path / "requests.jsonl", [REQUEST, REQUEST, other, {"base_url": "x"}])
    shown = json.loads(filesets.run("ingest-request", path, "--json").out)
    assert shown == {"stored": 2, "skip-request-fields": 2}
    assert count(tmp_path, ingest_request) == 1


def test_a_missing_file_is_an_error(filesets: Filesets, tmp_path: Path) -> None:
    assert "none.jsonl" in filesets.run("ingest-file-result", "none.jsonl", status=1).err
    assert "no lines" in filesets.run("ingest-file-result").err
