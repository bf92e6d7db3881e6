"""Entities of a catalogue: of all kept results, and of items of archive.org."""

import json
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from tests.commands.filesets.conftest import Filesets
from tests.filesets.persisting.results import (
    dataset_file_result,
    file_result,
    fileset_result,
)

RELEASE = "bqtbhqgnkrc2hmhqh5ba2lkqme"


def test_each_result_has_one_entity(filesets: Filesets, tmp_path: Path) -> None:
    results = [fileset_result(), file_result(), fileset_result(hit=False)]
    filesets.results.mkdir(parents=True)
    for topic, of_topic in (("fileset", results), ("file", [dataset_file_result()])):
        path = filesets.results / f"ingest-{topic}-results-2026-11-22.jsonl"
        path.write_text("".join(f"{json.dumps(each)}\n" for each in of_topic))
    for status in ("imported", "exists"):
        shown = json.loads(filesets.run("import", "--json").out)
        assert shown == {status: 2, "skip-hit": 1}
    made = (tmp_path / "data" / "catalogue-entities").glob("*.jsonl")
    assert {path.name.partition("-")[0] for path in made} == {"file", "fileset"}


@pytest.fixture
def archive(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> HTTPServer:
    monkeypatch.setenv("ARCHIVEORG_URL", httpserver.url_for("").rstrip("/"))
    monkeypatch.setenv("FETCHER_ALLOW_ADDRESS", "127.0.0.0/8 ::1")
    return httpserver


def item(archive: HTTPServer, name: str, count: int) -> None:
    files: list[dict[str, Any]] = [
        {
            "name": f"{at}.csv",
            "source": "original",
            "format": "CSV" if at else "Unknown",
            "size": "3",
            "md5": "1" * 32,
            "sha1": "2" * 40,
        }
        for at in range(count)
    ]
    answer = {"metadata": {"identifier": name, "mediatype": "data"}, "files": files}
    archive.expect_request(f"/metadata/{name}").respond_with_json(answer)


def test_the_fileset_of_an_item(filesets: Filesets, archive: HTTPServer) -> None:
    item(archive, "some-item", 2)
    shown = filesets.run("archiveorg-fileset", "some-item", RELEASE).out
    facts = {"size": 3, "sha1": "2" * 40, "md5": "1" * 32}
    assert json.loads(shown) == {
        "manifest": [
            {"path": "0.csv", **facts},
            {"path": "1.csv", **facts, "extra": {"mimetype": "text/csv"}},
        ],
        "urls": [{"rel": "archive", "url": "https://archive.org/download/some-item/"}],
        "release_ids": [RELEASE],
    }


def test_items_are_read_from_a_table(
    filesets: Filesets, archive: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    item(archive, "large", 250)
    archive.expect_request("/metadata/unknown").respond_with_json({})
    table = f'\ufefflarge\t{RELEASE}\r\n\r\n"unknown"\t"{RELEASE}"\r\nother\tshort\r\nalone\r\n'
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(table.encode())))
    shown = filesets.run("archiveorg-fileset", status=1)
    (line,) = shown.out.splitlines()
    assert len(json.loads(line)["manifest"]) == 250
    unknown, other, alone = shown.err.splitlines()
    assert unknown.startswith("unknown: platform-404")
    assert "other: no id of a release" in other
    assert "alone: no id of a release" in alone


def test_an_id_that_is_none_is_an_error(filesets: Filesets) -> None:
    for release in ("", "short", RELEASE.upper()):
        arguments = ["some-item", release] if release else ["some-item"]
        assert "no id of a release" in filesets.run("archiveorg-fileset", *arguments, status=2).err
