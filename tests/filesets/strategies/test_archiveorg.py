"""Items: every file stored once and verified, nothing overwritten, only what is missing fetched."""

import json
import subprocess
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from indexer.blobstore import Blobstore, open_blobstore
from indexer.errors import AccessDenied, FilesetError, StorageError
from indexer.filesets.items.item import Item, items
from indexer.filesets.paths import stored_names
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.strategies.archiveorg import ArchiveorgStrategy
from indexer.filesets.strategies.choosing import StrategyName
from indexer.filesets.strategies.options import TransferOptions
from indexer.filesets.strategies.strategy import ArchiveJob, ArchiveStrategyResult, FileProgress
from indexer.filesets.strategies.transfer import Transfer
from tests.filesets.datasets import FILES, ITEM, dataset, md5
from tests.http.fetching.clients import client

NAMES = dict(zip(FILES, stored_names([*FILES], ITEM), strict=True))


class Archive:
    """A store in a directory, and the strategy for it."""

    def __init__(self, root: Path) -> None:
        self.root = root / "store"
        self.store: Blobstore = open_blobstore(str(self.root))
        self.working = root / "working"
        self.seen: list[FileProgress] = []

    def process(
        self, item: FilesetPlatformItem, watch: Any = None, **given: Any
    ) -> ArchiveStrategyResult:
        name = (
            StrategyName.ARCHIVEORG_FILE
            if len(item.files) == 1
            else (StrategyName.ARCHIVEORG_FILESET)
        )
        job = ArchiveJob(item, name, BytesIO(b"evidence"))
        with client() as own:
            transfer = Transfer(own, TransferOptions(), sleep=lambda _: None)
            strategy = ArchiveorgStrategy(given.get("store", self.store), transfer, self.working)
            return strategy.check_existing(job) or strategy.process(job, watch or self.seen.append)

    @property
    def files(self) -> dict[str, bytes]:
        root = self.root / ITEM
        found = (path for path in root.rglob("*") if path.is_file())
        return {str(path.relative_to(root)): path.read_bytes() for path in found}

    def verify(self) -> list[Any]:
        return [found for found in Item(self.store, ITEM).verify() if found]


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path)


def requests(server: HTTPServer) -> list[str]:
    found = [request.path for request, _ in server.log]
    server.clear_log()
    return found


def test_all_files_are_stored_and_verified(archive: Archive, httpserver: HTTPServer) -> None:
    found = archive.process(dataset(httpserver))
    assert (found.status, found.message) == ("success", "")
    assert {file.status for file in found.manifest} == {"success"}
    assert all(len(file.hashes) == 4 and file.mimetype for file in found.manifest)
    stored = archive.files
    assert {path: stored[name] for path, name in NAMES.items()} == FILES
    assert archive.verify() == []
    assert [*archive.working.iterdir()] == []
    last = archive.seen[-1]
    assert (last.number, last.files, last.path, last.done, last.size) == (5, 5, "a.txt", 5, 5)


def test_an_item_can_be_verified_without_this_program(
    archive: Archive, httpserver: HTTPServer
) -> None:
    archive.process(dataset(httpserver))
    check = ["sha256sum", "--check", "--strict", f"{ITEM}_sha256.txt"]
    done = subprocess.run(check, cwd=archive.root / ITEM, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(b": OK") == len(FILES) + 3


def test_the_manifest_has_original_paths_and_names(
    archive: Archive, httpserver: HTTPServer
) -> None:
    archive.process(dataset(httpserver))
    manifest = json.loads(archive.files[f"{ITEM}_fileset.json"])
    assert {file["path"]: file["name"] for file in manifest["files"]} == NAMES
    assert manifest["platform_version"] == "v1"
    assert json.loads(archive.files[f"{ITEM}_metadata.json"])["title"] == "Ærø"
    assert archive.files[f"{ITEM}_evidence.warc.gz"] == b"evidence"


def test_a_repeat_fetches_and_writes_nothing(archive: Archive, httpserver: HTTPServer) -> None:
    first = archive.process(dataset(httpserver))
    before, _ = archive.files, requests(httpserver)
    again = archive.process(dataset(httpserver))
    assert again.status == "success-existing"
    assert {file.status for file in again.manifest} == {"exists"}
    assert [file.hashes for file in again.manifest] == [file.hashes for file in first.manifest]
    assert [file.mimetype for file in again.manifest] == [file.mimetype for file in first.manifest]
    assert requests(httpserver) == []
    assert archive.files == before


def test_only_what_is_missing_is_fetched(archive: Archive, httpserver: HTTPServer) -> None:
    archive.process(dataset(httpserver))
    requests(httpserver)
    (archive.root / ITEM / NAMES["a.txt"]).unlink()
    found = archive.process(dataset(httpserver))
    assert found.status == "success"
    assert requests(httpserver) == ["/files/4"]
    assert archive.verify() == []


def test_a_restricted_file_is_listed_and_fetched_when_it_is_public(
    archive: Archive, httpserver: HTTPServer
) -> None:
    item = dataset(httpserver)
    closed, *item.manifest = item.files
    closed.status, item.restricted = "platform-restricted", [closed]
    for status in ("success", "success-existing"):
        assert archive.process(item).status == status
    listed = json.loads(archive.files[f"{ITEM}_fileset.json"])["files"][-1]
    assert (listed["path"], listed["status"]) == (closed.path, "platform-restricted")
    assert "name" not in listed
    assert archive.verify() == []
    requests(httpserver)
    assert archive.process(dataset(httpserver)).status == "success"
    assert requests(httpserver) == ["/files/0"]
    assert archive.verify() == []


def test_an_item_without_its_manifest_is_completed_without_a_request(
    archive: Archive, httpserver: HTTPServer
) -> None:
    archive.process(dataset(httpserver))
    requests(httpserver)
    (archive.root / ITEM / f"{ITEM}_fileset.json").unlink()
    found = archive.process(dataset(httpserver))
    assert (found.status, {file.status for file in found.manifest}) == ("success", {"exists"})
    assert all(file.mimetype for file in found.manifest)
    assert requests(httpserver) == []
    assert archive.verify() == []


def test_other_bytes_are_never_overwritten(archive: Archive, httpserver: HTTPServer) -> None:
    path = archive.root / ITEM / "data/a.csv"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"a,b\n9,9\n")
    found = archive.process(dataset(httpserver))
    assert found.status == "conflict-existing"
    assert "data/a.csv" in found.message
    assert [file.status for file in found.manifest] == ["mismatch-existing", *["not-processed"] * 4]
    assert requests(httpserver) == []
    assert archive.files == {"data/a.csv": b"a,b\n9,9\n"}


def test_a_wrong_file_leaves_no_item(archive: Archive, httpserver: HTTPServer) -> None:
    item = dataset(httpserver)
    item.files[1].md5 = md5(b"other")
    found = archive.process(item)
    assert (found.status, found.message[:9]) == ("mismatch-md5", "../b.bin:")
    statuses = [file.status for file in found.manifest]
    assert statuses == ["verified-local", "mismatch-md5", *["not-processed"] * 3]
    assert archive.files == {}


def test_an_interrupted_ingest_goes_on(archive: Archive, httpserver: HTTPServer) -> None:
    def stop(progress: FileProgress) -> None:
        if progress.number == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        archive.process(dataset(httpserver, {**FILES, "empty": b"x"}), stop)
    requests(httpserver)
    found = archive.process(dataset(httpserver, {**FILES, "empty": b"x"}))
    assert found.status == "success"
    assert not {"/files/0", "/files/1"} & {*requests(httpserver)}
    assert archive.verify() == []


def test_a_single_file_tells_its_facts(archive: Archive, httpserver: HTTPServer) -> None:
    for status in ("success-file", "success-existing"):
        found = archive.process(dataset(httpserver, {"a.csv": b"1,2"}))
        assert found.status == status
        assert found.file_file_meta == {
            "size_bytes": 3,
            "md5hex": md5(b"1,2"),
            "sha1hex": found.manifest[0].sha1,
            "sha256hex": found.manifest[0].sha256,
            "mimetype": "text/csv",
        }
        assert found.file_terminal
        assert found.file_terminal["terminal_url"] == httpserver.url_for("/files/0")


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (StorageError("full"), "error-archiveorg-upload"),
        (AccessDenied("no"), "error-authentication"),
    ],
)
def test_a_store_that_fails_has_a_status(
    archive: Archive,
    httpserver: HTTPServer,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: str,
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("indexer.filesets.strategies.archiveorg.move_in", fail)
    assert archive.process(dataset(httpserver)).status == status


def test_a_damaged_manifest_has_a_status(archive: Archive, httpserver: HTTPServer) -> None:
    archive.process(dataset(httpserver))
    (archive.root / ITEM / f"{ITEM}_fileset.json").write_bytes(b"{")
    assert archive.process(dataset(httpserver)).status == "error-archiveorg-upload"


def test_a_dataset_without_the_name_of_an_item_has_a_status(
    archive: Archive, httpserver: HTTPServer
) -> None:
    with pytest.raises(FilesetError, match="platform-error"):
        archive.process(dataset(httpserver, archiveorg_item_name=None))


def test_items_are_listed(archive: Archive, httpserver: HTTPServer) -> None:
    archive.process(dataset(httpserver))
    archive.process(dataset(httpserver, archiveorg_item_name="other-1"))
    assert [item.name for item in items(archive.store)] == ["other-1", ITEM]


def damage(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("data/a.csv", "another md5, sha1, sha256, sha512"),
        (f"{ITEM}_evidence.warc.gz", "another sha256"),
        (f"{ITEM}_metadata.json", "another sha256"),
    ],
)
def test_damage_is_found(archive: Archive, httpserver: HTTPServer, name: str, why: str) -> None:
    archive.process(dataset(httpserver))
    damage(archive.root / ITEM / name)
    assert archive.verify() == [(name, why)]


def test_missing_and_longer_files_are_found(archive: Archive, httpserver: HTTPServer) -> None:
    archive.process(dataset(httpserver))
    root = archive.root / ITEM
    (root / "empty").write_bytes(b"12")
    (root / "data/a.csv").unlink()
    (root / f"{ITEM}_metadata.json").unlink()
    assert archive.verify() == [
        ("data/a.csv", "missing"),
        ("empty", "2 bytes instead of 0"),
        (f"{ITEM}_metadata.json", "missing"),
    ]
