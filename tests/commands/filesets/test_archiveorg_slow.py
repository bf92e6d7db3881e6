"""Datasets in archive.org: the commands ingest, list, show and verify, and each way to fail."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from newsroom.repositories.server import Repositories
from tests.commands.filesets.conftest import Filesets
from tests.each_row import each_row

DOI = "10.5072/zenodo.10200003"
BIRDS = "10.5072/zenodo.10200021"


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Repositories]:
    with Repositories() as repositories:
        for name, value in repositories.settings.items():
            monkeypatch.setenv(name, value)
        # Pauses between attempts.
        monkeypatch.setattr("indexer.filesets.items.archiveorg_api.WAITS", (0.0, 0.0))
        yield repositories


def ingest(
    filesets: Filesets, served: Repositories, url: str = DOI, *more: str, status: int = 0
) -> Any:
    to = served.settings["ARCHIVEORG_S3_URL"]
    printed = filesets.run("ingest", url, "--to", to, *more, status=status).out
    return json.loads(printed.splitlines()[-1])


def test_a_dataset_is_an_item_of_archiveorg(filesets: Filesets, served: Repositories) -> None:
    found = ingest(filesets, served)
    assert found["status"] == "success"
    name = found["archiveorg_item_name"]
    item = served.items[name]
    dataset = served.catalogue.by_doi(DOI)
    assert dataset
    for file in dataset.files:
        assert item.files[file.path].content.hash("sha256") == file.content.hash("sha256")
    assert item.metadata["collection"] == ["datasets"]
    assert item.metadata["title"] == [dataset.title]
    to = ("--to", served.settings["ARCHIVEORG_S3_URL"])
    assert json.loads(filesets.run("list", *to, "--json").out)["item"] == name
    assert json.loads(filesets.run("show", name, *to, "--json").out)["platform_name"] == "zenodo"
    assert "files are right" in filesets.run("verify", *to).out
    assert "files are right" in filesets.run("verify", f"{to[1]}/{name}").out


def test_a_repeat_uploads_nothing(filesets: Filesets, served: Repositories) -> None:
    ingest(filesets, served)
    uploads = len([each for each in served.log.entries if each.method == "PUT"])
    assert ingest(filesets, served)["status"] == "success-existing"
    assert len([each for each in served.log.entries if each.method == "PUT"]) == uploads


def test_a_bundle_is_a_file_of_an_item(
    filesets: Filesets, served: Repositories, tmp_path: Path
) -> None:
    for status in ("success", "success-existing"):
        found = ingest(filesets, served, BIRDS, "--bundles", "prefer")
        assert (found["status"], found["ingest_strategy"]) == (status, "archiveorg-fileset-bundled")
    name = found["archiveorg_item_name"]
    assert f"{name}_bundle.zip" in served.items[name].files
    item = f"{served.settings['ARCHIVEORG_S3_URL']}/{name}"
    assert "are right" in filesets.run("verify", item).out
    filesets.run("export", item, "--to", str(tmp_path / "to"))
    dataset = served.catalogue.by_doi(BIRDS)
    assert dataset
    for file in dataset.files:
        assert (tmp_path / "to" / name / file.path).read_bytes() == file.content.whole()


def test_an_item_of_archiveorg_is_found_there(filesets: Filesets, served: Repositories) -> None:
    for id in ("velmora-gauges", "velmora-map"):
        (dataset,) = served.catalogue.versions("archiveorg", id)
        found = ingest(filesets, served, served.landing(dataset))
        assert found["status"] == "success-existing"
    assert {entry.method for entry in served.log.entries} == {"GET"}
    assert not served.log.bytes_of_files()


@each_row(
    ("fault", "status"),
    [
        ("503@PUT s3.*", "error-archiveorg-upload"),
        ("403@PUT s3.*", "error-authentication"),
        ("503@*/metadata/*", "error-archiveorg-upload"),
        ("503:times=1@PUT s3.*", "success"),
        ("refuse:times=1@PUT s3.*", "success"),
    ],
)
def test_a_failure_has_its_status(
    filesets: Filesets, served: Repositories, fault: str, status: str
) -> None:
    served.items.clear()
    served.faults.clear()
    served.faults.switch_on(fault)
    found = ingest(filesets, served, status=0 if status == "success" else 1)
    assert found["status"] == status, found


def test_without_keys_no_file_is_fetched(
    filesets: Filesets, served: Repositories, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IA_SECRET_KEY", "")
    found = ingest(filesets, served, status=1)
    assert found["status"] == "error-authentication"
    assert "IA_SECRET_KEY" in found["error_message"]
    assert not served.log.bytes_of_files()
