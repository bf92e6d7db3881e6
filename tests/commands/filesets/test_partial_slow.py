"""`story-indexer filesets --partial`: the public files are archived, and the others are named."""

import json
from typing import Any

import pytest

from newsroom.repositories.server import Repositories
from tests.commands.filesets.conftest import Filesets

PARTLY = "https://doi.org/10.5072/FK2/PARTLY"
EMBARGOED = "https://doi.org/10.5072/FK2/EMBARG"
ITEM = "http://archive.example/details/velmora-partly"


@pytest.mark.parametrize(
    ("url", "options", "strategy"),
    [
        (PARTLY, [], "archiveorg-fileset"),
        (PARTLY, ["--web", "web"], "web-fileset"),
        (PARTLY, ["--bundles", "prefer"], "archiveorg-fileset"),
        (ITEM, [], "archiveorg-fileset"),
    ],
)
def test_public_files_are_archived_if_asked_for(
    filesets: Filesets, monkeypatch: pytest.MonkeyPatch, url: str, options: list[str], strategy: str
) -> None:
    given = [f"{filesets.items.parent}/{each}" if each == "web" else each for each in options]
    with Repositories() as served:
        for name, value in served.settings.items():
            monkeypatch.setenv(name, value)
        (refused,) = filesets.ingest(url, *given, status=1)
        assert (refused["hit"], refused["status"]) == (False, "platform-restricted")
        assert "closed.csv" in refused["error_message"]
        asked = "closed.csv" in filesets.run("try", url, "--partial").out
        assert asked
        for _ in range(2):
            served.log.clear()
            (found,) = filesets.ingest(url, *given, "--partial")
            check(found, strategy)
        assert not served.log.bytes_of_files()
    to = given[1] if "web" in options else str(filesets.items)
    assert "files are right" in filesets.run("verify", "--to", to).out


def check(found: dict[str, Any], strategy: str) -> None:
    assert (found["hit"], found["status"]) == (True, "success-partial")
    assert found["error_message"] == "not archived, as they are restricted: closed.csv"
    assert found["ingest_strategy"] == strategy
    assert found["file_count"] == len(found["manifest"]) == 2
    open_file, closed = found["manifest"]
    assert (open_file["path"], len(open_file["sha256"])) == ("open.csv", 64)
    assert (closed["path"], closed["status"]) == ("closed.csv", "platform-restricted")
    assert closed["extra"]["restriction"] in ("restricted", "private")
    assert "sha256" not in closed


def test_a_dataset_that_is_all_under_embargo_stays_restricted(
    filesets: Filesets, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Repositories() as served:
        for name, value in served.settings.items():
            monkeypatch.setenv(name, value)
        (found,) = filesets.ingest(EMBARGOED, "--partial", status=1)
    assert found["status"] == "platform-restricted"
    assert "embargo until 2036-01-01" in json.dumps(found)
