"""Captures: WARC records of all files with their index, verified before they are stored."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from indexer.blobstore import Blobstore, open_blobstore
from indexer.filesets.items.item import Item
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.strategies.choosing import StrategyName
from indexer.filesets.strategies.options import TransferOptions
from indexer.filesets.strategies.strategy import ArchiveJob, ArchiveStrategyResult
from indexer.filesets.strategies.transfer import Transfer
from indexer.filesets.strategies.web import WAITS, WebStrategy
from indexer.http.fetching.credentials import Credentials, bearer
from indexer.warc.reader import read
from indexer.warc.record import Record
from tests.each_row import each_row
from tests.filesets.datasets import FILES, ITEM, dataset, md5
from tests.http.fetching.clients import client


class WebArchive:
    """A store in a directory, and the strategy for it."""

    def __init__(self, root: Path) -> None:
        self.root = root / "store"
        self.store: Blobstore = open_blobstore(str(self.root))
        self.working = root / "working"
        self.slept: list[float] = []

    def process(
        self,
        item: FilesetPlatformItem,
        auth: tuple[Credentials, ...] = (),
        secrets: Sequence[str] = (),
    ) -> ArchiveStrategyResult:
        name = StrategyName.WEB_FILE if len(item.files) == 1 else StrategyName.WEB_FILESET
        job = ArchiveJob(item, name, BytesIO(b"evidence"))
        with client() as own:
            transfer = Transfer(own, TransferOptions(), auth=auth)
            strategy = WebStrategy(
                self.store, transfer, self.working, secrets=secrets, sleep=self.slept.append
            )
            return strategy.check_existing(job) or strategy.process(job, lambda _: None)

    def read(self, suffix: str) -> bytes:
        return (self.root / ITEM / f"{ITEM}{suffix}").read_bytes()

    def verify(self) -> list[Any]:
        return [found for found in Item(self.store, ITEM).verify() if found]


@pytest.fixture
def archive(tmp_path: Path) -> WebArchive:
    return WebArchive(tmp_path)


def test_all_files_are_captured_with_an_index(archive: WebArchive, httpserver: HTTPServer) -> None:
    found = archive.process(dataset(httpserver))
    assert (found.status, found.message) == ("success", "")
    records = [
        each
        for each in read(BytesIO(archive.read("_capture.warc.gz")))
        if isinstance(each, Record) and each.kind == "response"
    ]
    assert [each.http()[1] for each in records] == [*FILES.values()]
    assert archive.read("_capture.cdxj").count(b"\n") == len(FILES)
    assert all(len(file.hashes) == 4 and file.terminal_dt for file in found.manifest)
    assert archive.verify() == []


def test_a_repeat_captures_nothing(archive: WebArchive, httpserver: HTTPServer) -> None:
    first = archive.process(dataset(httpserver))
    httpserver.clear_log()
    again = archive.process(dataset(httpserver))
    assert again.status == "success-existing"
    assert [file.sha256 for file in again.manifest] == [file.sha256 for file in first.manifest]
    assert httpserver.log == []


def test_a_capture_of_other_bytes_is_never_replaced(
    archive: WebArchive, httpserver: HTTPServer
) -> None:
    archive.process(dataset(httpserver))
    before = archive.read("_capture.warc.gz")
    item = dataset(httpserver)
    item.files[1].md5 = md5(b"other")
    found = archive.process(item)
    assert (found.status, found.manifest[1].status) == ("conflict-existing", "mismatch-existing")
    assert archive.read("_capture.warc.gz") == before


def test_a_capture_without_restricted_files_is_none_of_all_files(
    archive: WebArchive, httpserver: HTTPServer
) -> None:
    item = dataset(httpserver)
    closed, *item.manifest = item.files
    closed.status, item.restricted = "platform-restricted", [closed]
    assert archive.process(item).status == "success"
    assert archive.process(dataset(httpserver)).status == "conflict-existing"
    assert archive.verify() == []


def test_a_single_file_has_its_place_in_the_capture(
    archive: WebArchive, httpserver: HTTPServer
) -> None:
    for status in ("success-file", "success-existing"):
        found = archive.process(dataset(httpserver, {"a.csv": b"1,2"}))
        assert found.status == status
        assert found.file_cdx
        start, size = found.file_cdx["warc_offset"], found.file_cdx["warc_csize"]
        member = archive.read("_capture.warc.gz")[start : start + size]
        (record,) = read(BytesIO(member))
        assert isinstance(record, Record)
        assert record.http()[1] == b"1,2"
        assert found.file_cdx["warc_path"] == f"{ITEM}/{ITEM}_capture.warc.gz"


def wrong(item: FilesetPlatformItem) -> None:
    item.files[1].md5 = md5(b"other")


def missing(item: FilesetPlatformItem) -> None:
    item.files[1].platform_url = f"{item.files[1].platform_url}/none"


def nowhere(item: FilesetPlatformItem) -> None:
    item.files[1].platform_url = "http://127.0.0.1:1/"


def too_long(item: FilesetPlatformItem) -> None:
    item.files[1].size = 7


@each_row(
    ("change", "status"),
    [
        (wrong, "mismatch"),
        (missing, "terminal-bad-status"),
        (nowhere, "no-capture"),
        (too_long, "mismatch"),
    ],
)
def test_a_failure_leaves_no_capture(
    tmp_path: Path, httpserver: HTTPServer, change: Any, status: str
) -> None:
    archive = WebArchive(tmp_path / change.__name__)
    item = dataset(httpserver)
    change(item)
    found = archive.process(item)
    assert found.status == status
    assert [file.status for file in found.manifest[:3]] == ["success", status, "not-processed"]
    assert not archive.root.exists()
    assert archive.slept in ([], [*WAITS])


def test_a_capture_has_no_credentials(archive: WebArchive, httpserver: HTTPServer) -> None:
    token = "hush-hush-hush"
    auth = (bearer(httpserver.url_for("/"), token),)
    item = dataset(httpserver, {"a.json": b'{"access_token": "of the dataset"}'})
    archive.process(item, auth, [token])
    assert httpserver.log[0][0].headers["Authorization"] == f"Bearer {token}"
    request, answer = b"", b""
    for each in read(BytesIO(archive.read("_capture.warc.gz"))):
        assert isinstance(each, Record)
        if each.kind == "request":
            request = b"".join(each.http())
        if each.kind == "response":
            answer = each.http()[1]
    assert token.encode() not in request
    assert b"Authorization: REDACTED" in request
    assert answer == b'{"access_token": "of the dataset"}'


def test_damage_is_found(archive: WebArchive, httpserver: HTTPServer) -> None:
    archive.process(dataset(httpserver))
    path = archive.root / ITEM / f"{ITEM}_capture.warc.gz"
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    assert archive.verify() == [(path.name, "another sha256")]
