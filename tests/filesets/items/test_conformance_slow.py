"""The promises of items, in every store."""

import io
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from indexer.blobstore import Blobstore
from indexer.errors import NotFound
from indexer.filesets.exporting.bag import write_bag
from indexer.filesets.exporting.export import Form, export
from indexer.filesets.exporting.folder import write_folder
from indexer.filesets.items.item import Item, items
from indexer.filesets.strategies.archiveorg import ArchiveorgStrategy
from indexer.filesets.strategies.choosing import StrategyName
from indexer.filesets.strategies.options import TransferOptions
from indexer.filesets.strategies.strategy import ArchiveJob, ArchiveStrategyResult
from indexer.filesets.strategies.transfer import Transfer
from indexer.filesets.strategies.web import WebStrategy
from tests.filesets.datasets import ITEM, dataset
from tests.filesets.exporting.items import HOSTILE, stored
from tests.http.fetching.clients import client


class Archive:
    """Ingests datasets into a store."""

    def __init__(self, store: Blobstore, server: HTTPServer, working: Path) -> None:
        self.store = store
        self._server = server
        self._working = working

    def ingest(
        self, files: dict[str, bytes] | None = None, kind: type = ArchiveorgStrategy, **given: Any
    ) -> ArchiveStrategyResult:
        item = dataset(self._server, files, **given)
        job = ArchiveJob(item, StrategyName.ARCHIVEORG_FILESET, io.BytesIO(b"evidence"))
        with client() as own:
            transfer = Transfer(own, TransferOptions(), sleep=lambda _: None)
            strategy = kind(self.store, transfer, self._working)
            found: ArchiveStrategyResult = strategy.check_existing(job) or strategy.process(
                job, lambda _: None
            )
        return found

    def fetched(self) -> int:
        """The files that were fetched since the last call."""
        count = len(self._server.log)
        self._server.clear_log()
        return count

    @property
    def versions(self) -> dict[str, str]:
        return {entry.key: entry.version for entry in self.store.entries(f"{ITEM}/")}

    def damages(self, name: str = ITEM) -> list[object]:
        return [found for found in Item(self.store, name).verify() if found]


@pytest.fixture
def archive(store: Blobstore, httpserver: HTTPServer, tmp_path: Path) -> Archive:
    return Archive(store, httpserver, tmp_path / "working")


@pytest.mark.parametrize("kind", [ArchiveorgStrategy, WebStrategy])
def test_a_dataset_is_stored_and_verified(archive: Archive, kind: type) -> None:
    found = archive.ingest(kind=kind)
    assert (found.status, found.message) == ("success", "")
    assert archive.damages() == []


@pytest.mark.parametrize("kind", [ArchiveorgStrategy, WebStrategy])
def test_a_repeat_fetches_and_stores_nothing(archive: Archive, kind: type) -> None:
    first = archive.ingest(kind=kind)
    before = archive.versions
    archive.fetched()
    again = archive.ingest(kind=kind)
    assert again.status == "success-existing"
    assert [file.hashes for file in again.manifest] == [file.hashes for file in first.manifest]
    assert (archive.fetched(), archive.versions) == (0, before)


def test_only_what_is_missing_is_fetched(archive: Archive) -> None:
    archive.ingest()
    archive.fetched()
    archive.store.delete(f"{ITEM}/data/a.csv")
    assert archive.ingest().status == "success"
    assert archive.fetched() == 1
    assert archive.damages() == []


def test_an_item_without_its_list_of_hashes_is_completed_without_fetching(archive: Archive) -> None:
    archive.ingest()
    archive.fetched()
    archive.store.delete(f"{ITEM}/{ITEM}_sha256.txt")
    assert archive.ingest().status == "success"
    assert archive.fetched() == 0
    assert archive.damages() == []


def test_other_bytes_are_never_replaced(archive: Archive) -> None:
    archive.store.put(f"{ITEM}/data/a.csv", io.BytesIO(b"a,b\n9,9\n"))
    before = archive.versions
    found = archive.ingest()
    assert (found.status, found.manifest[0].status) == ("conflict-existing", "mismatch-existing")
    assert (archive.fetched(), archive.versions) == (0, before)


def test_a_changed_file_is_a_damage(archive: Archive) -> None:
    archive.ingest()
    archive.store.put(f"{ITEM}/data/a.csv", io.BytesIO(b"a,b\n1,9\n"))
    assert archive.damages() == [("data/a.csv", "another md5, sha1, sha256, sha512")]


def test_another_dataset_with_the_same_name_gets_a_longer_one(archive: Archive) -> None:
    first: dict[str, Any] = {"platform_domain": "data.example.org", "platform_id": "doi:10.5/AB/XY"}
    second = first | {"platform_id": "doi:10.6/AB/XY"}
    assert archive.ingest(**first).status == "success"
    assert archive.ingest(**second).status == "success"
    assert archive.ingest(**first).status == "success-existing"
    assert archive.ingest(**second).status == "success-existing"
    assert archive.damages() == archive.damages("data.example.org-10.6-AB-XY-v1") == []


def test_items_are_listed(archive: Archive) -> None:
    names = ["item-1", "item-2", "item-3"]
    for name in names:
        archive.ingest({"data/a.csv": b"1"}, archiveorg_item_name=name)
    assert [item.name for item in items(archive.store)] == names


@pytest.mark.parametrize("form", [write_folder, write_bag])
def test_an_item_is_exported(store: Blobstore, tmp_path: Path, form: Form) -> None:
    done = export(stored(store), tmp_path / "to", form)
    assert done.files == len(HOSTILE)
    assert all(damage is None for damage in Item(store, ITEM).verify())


def test_an_unknown_item_has_nothing(store: Blobstore) -> None:
    item = Item(store, "unknown-item")
    assert (item.manifest, item.entries, item.is_sealed) == (None, {}, False)
    with pytest.raises(NotFound):
        item.read("_sha256.txt")


def test_a_file_is_read_as_a_stream(archive: Archive) -> None:
    archive.ingest({"large": bytes(range(256)) * 10_000})
    with archive.store.open(f"{ITEM}/large") as file:
        assert file.read(3) == b"\0\1\2"
        assert len(file.read()) == 2_559_997
