"""Archived datasets are found by the same search as stories."""

import json
from pathlib import Path

import pytest

from indexer.commands.tree import app
from tests.commands.entering import Command
from tests.commands.filesets.conftest import Filesets
from tests.filesets.zenodo_server import ZenodoServer


def test_archived_datasets_are_found(
    filesets: Filesets,
    zenodo: ZenodoServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    doi = zenodo.add(7, {"sub/raw.csv": b"1,2", "b": b"2"})
    filesets.ingest(doi)
    filesets.ingest(f"{zenodo.url}/records/404", status=1)
    for status in ("created", "updated"):
        assert json.loads(filesets.run("index", "--json").out) == {status: 1, "skip-hit": 1}
    command = Command(app, "story-indexer", monkeypatch, capsys)
    for query in (doi, "raw.csv", "title:tides"):
        (hit,) = map(json.loads, command.run("search", query, "--json").out.splitlines())
        assert hit["url"] == f"{zenodo.url}/records/7"


def test_the_index_is_an_option(filesets: Filesets, tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_bytes(b"\r\n")
    shown = filesets.run("index", str(tmp_path / "none.jsonl"), "--index-url", "nonsense", status=2)
    assert "no search index for" in shown.err
