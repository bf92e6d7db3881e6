"""Entities as lines of JSON: durable, and once, however often the results are read."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from indexer.errors import ConfigurationError, Discard
from indexer.filesets.importing.entity_lines import EntityLines
from indexer.filesets.importing.options import EntityOptions
from tests.filesets.persisting.results import REQUEST, file_result, fileset_result, manifest_file

OPTIONS = EntityOptions()


def added(lines: EntityLines, result: dict[str, Any]) -> str:
    try:
        return lines.add(result)
    except Discard as end:
        return end.status


def entities(data: Path, kind: str) -> list[dict[str, Any]]:
    paths = sorted((data / "catalogue-entities").glob(f"{kind}-*.jsonl"))
    return [json.loads(line) for path in paths for line in path.read_bytes().splitlines()]


def test_a_fileset_is_written_once_for_its_release(tmp_path: Path) -> None:
    reordered = fileset_result(manifest=[manifest_file("b/c.csv", mimetype="x/y"), manifest_file()])
    changed = fileset_result(manifest=[manifest_file(), manifest_file("b/c.csv", size=4)])
    other = fileset_result(request=REQUEST | {"fatcat": {"release_ident": "c" * 26}})
    wanted = ["imported", "exists", "skip-release-has-fileset", "imported"]
    for statuses in (wanted, ["exists", "exists", "skip-release-has-fileset", "exists"]):
        with closing(EntityLines(tmp_path, "fileset", OPTIONS)) as lines:
            results = (fileset_result(), reordered, changed, other)
            assert [added(lines, each) for each in results] == statuses
    assert len(entities(tmp_path, "fileset")) == 2


def test_a_file_is_written_once_for_its_release_and_bytes(tmp_path: Path) -> None:
    other = file_result(manifest=[manifest_file(sha1="4" * 40)])
    another = file_result(request=REQUEST | {"fatcat": None})
    with closing(EntityLines(tmp_path, "file", OPTIONS)) as lines:
        results = (file_result(), file_result(status="success-existing"), other, another)
        statuses = [added(lines, each) for each in results]
    assert statuses == ["imported", "exists", "imported", "imported"]


def test_a_line_cut_off_by_a_crash_is_written_again(tmp_path: Path) -> None:
    with closing(EntityLines(tmp_path, "file", OPTIONS)) as lines:
        added(lines, file_result())
    (path,) = (tmp_path / "catalogue-entities").glob("file-*.jsonl")
    path.write_bytes(path.read_bytes()[:-20])
    with closing(EntityLines(tmp_path, "file", OPTIONS)) as lines:
        assert added(lines, file_result()) == "imported"
    last = sorted(path.parent.glob("file-*.jsonl"))[-1].read_bytes().splitlines()[-1]
    assert json.loads(last)["sha1"] == "2" * 40


def test_one_importer_at_a_time_writes(tmp_path: Path) -> None:
    with closing(EntityLines(tmp_path, "file", OPTIONS)):
        with (
            pytest.raises(ConfigurationError, match="another importer"),
            closing(EntityLines(tmp_path, "file", OPTIONS)),
        ):
            pass
        with closing(EntityLines(tmp_path, "fileset", OPTIONS)) as lines:
            assert added(lines, fileset_result()) == "imported"
