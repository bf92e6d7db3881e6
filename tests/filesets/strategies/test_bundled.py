"""Bundles and manifests: files are found by name or hash, and no difference is a success."""

import io
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from indexer.blobstore import open_blobstore
from indexer.errors import FilesetError
from indexer.filesets.bundles.limits import BundleLimits
from indexer.filesets.items.item import Item
from indexer.filesets.items.layout import SUMS
from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.strategies.archiveorg import ArchiveorgStrategy
from indexer.filesets.strategies.bundled import check_bundle
from indexer.filesets.strategies.choosing import StrategyName
from indexer.filesets.strategies.options import TransferOptions
from indexer.filesets.strategies.strategy import ArchiveJob, ArchiveStrategyResult
from indexer.filesets.strategies.transfer import Transfer
from indexer.filesets.strategies.web import WebStrategy
from tests.each_row import each_row
from tests.filesets.bundles.samples import named, streamed, zipped
from tests.filesets.datasets import ITEM, dataset, md5
from tests.http.fetching.clients import client

FILES = {"data/a.csv": b"a,b\n1,2\n", "a.csv": b"3,4\n", "ReadMe": b"read me"}
TOLD = b"a.csv (text/csv) 4 bytes.\r\nReadMe (text/plain) 7 bytes.\r\n"


def item(files: Mapping[str, bytes] = FILES, **given: Any) -> FilesetPlatformItem:
    manifest = [
        FilesetManifestFile(path=path, size=len(data), md5=md5(data))
        for path, data in files.items()
    ]
    return FilesetPlatformItem(
        platform_name="x", platform_status="success", manifest=manifest, **given
    )


def checked(dataset: FilesetPlatformItem, content: bytes) -> dict[str, Any]:
    """The files after the check, by path."""
    bundle = FilesetManifestFile(path="bundle")
    check_bundle(dataset, dataset.files, bundle, io.BytesIO(content), BundleLimits())
    return {file.path: file for file in dataset.files}


@each_row(
    "bundle",
    [
        streamed(FILES),
        zipped({**FILES, "MANIFEST.TXT": TOLD, "__MACOSX/._a.csv": b"", "data/._a.csv": b"x"}),
        zipped({path.replace("/", "\\"): data for path, data in FILES.items()}),
        # One folder above all; no folders, and numbers; other characters.
        zipped({f"top/{path}": data for path, data in FILES.items()}),
        zipped({"a.csv": b"a,b\n1,2\n", "a_1.csv": b"3,4\n", "ReadMe": b"read me"}),
        zipped({"data_a.csv": b"a,b\n1,2\n", "a.csv": b"3,4\n", "Read?Me": b"read me"}),
    ],
)
def test_files_are_found_by_name_or_by_hash(bundle: bytes) -> None:
    found = checked(item(), bundle)
    for path, data in FILES.items():
        assert (found[path].status, found[path].md5) == ("verified-local", md5(data))
        assert len(found[path].hashes) == 4
        assert len(found[path].extra["crc32"]) == 8


@each_row(
    ("path", "bundle"),
    [
        ("café.csv", zipped({"cafe\u0301.csv": b"1"})),
        ("Stör.csv", named("Stör.csv".encode())),
        ("Stör.csv", named("Stör.csv".encode("cp437"))),
    ],
)
def test_names_without_a_hash_are_found_in_other_forms(path: str, bundle: bytes) -> None:
    dataset = item({path: b"1"})
    dataset.files[0].md5 = None
    assert checked(dataset, bundle)[path].md5 == md5(b"1")


def test_equal_files_each_have_one_in_the_bundle() -> None:
    same = {"a/x": b"1", "b/x": b"1"}
    found = checked(item(same), zipped({"x": b"1", "x_1": b"1"}))
    assert {each.extra["bundle_path"] for each in found.values()} == {"x", "x_1"}
    with pytest.raises(FilesetError, match="bundle-mismatch"):
        checked(item(same), zipped({"x": b"1"}))


def test_names_that_collide_on_some_disks_are_told() -> None:
    found = checked(
        item({"A": b"1", "a": b"2", "b": b"3"}), zipped({"A": b"1", "a": b"2", "b": b"3"})
    )
    assert found["a"].extra["collides_with"] == ["A"]
    assert "collides_with" not in found["b"].extra


def without(path: str, **more: bytes) -> bytes:
    return zipped({each: data for each, data in (FILES | more).items() if each != path})


@each_row(
    ("bundle", "message"),
    [
        (without("ReadMe"), "missing: ReadMe"),
        (without("", other=b"1"), "not announced: other"),
        (zipped({**FILES, "ReadMe": b"read mE"}), "other bytes: ReadMe (mismatch-md5)"),
        (zipped({**FILES, "ReadMe": b"longer text"}), "other bytes: ReadMe (mismatch-size)"),
        (
            zipped({**FILES, "MANIFEST.TXT": b"x.csv (text/csv) skipped because of 9 bytes.\r\n"}),
            "left out, by its own list: x.csv (text/csv) skipped",
        ),
        (
            zipped({**FILES, "MANIFEST.TXT": b"x.csv IS RESTRICTED AND CANNOT BE DOWNLOADED"}),
            "left out, by its own list: x.csv IS",
        ),
    ],
)
def test_each_difference_is_a_mismatch_that_names_it(bundle: bytes, message: str) -> None:
    with pytest.raises(FilesetError) as caught:
        checked(item(), bundle)
    assert caught.value.status == "bundle-mismatch"
    assert message in caught.value.why


def test_restricted_files_may_be_left_out() -> None:
    closed = FilesetManifestFile(path="data/x.csv", status="platform-restricted")
    told = TOLD + b"x.csv IS RESTRICTED AND CANNOT BE DOWNLOADED"
    checked(item(restricted=[closed]), zipped({**FILES, "MANIFEST.TXT": told}))
    more = told + b"\r\nx.csv.bak (text/csv) skipped because of the limit of 9 bytes."
    with pytest.raises(FilesetError, match=r"x\.csv\.bak"):
        checked(item(restricted=[closed]), zipped({**FILES, "MANIFEST.TXT": more}))


class BundleArchive:
    """A store in a directory, and the two strategies for bundles."""

    def __init__(self, root: Path, server: HTTPServer) -> None:
        self.root = root / "store"
        self.store = open_blobstore(str(self.root))
        self.working = root / "working"
        self.server = server

    def serve(self, bundle: bytes) -> None:
        self.server.clear()
        self.server.expect_request("/bundle").respond_with_data(bundle)

    def item(self, **given: Any) -> FilesetPlatformItem:
        return dataset(self.server, FILES, web_bundle_url=self.server.url_for("/bundle"), **given)

    def process(
        self, name: StrategyName, item: FilesetPlatformItem | None = None
    ) -> ArchiveStrategyResult:
        job = ArchiveJob(item or self.item(), name, BytesIO(b"evidence"))
        kind: Any = ArchiveorgStrategy if name.is_archiveorg else WebStrategy
        with client() as own:
            transfer = Transfer(own, TransferOptions(), sleep=lambda _: None)
            strategy = kind(self.store, transfer, self.working)
            found: ArchiveStrategyResult = strategy.check_existing(job) or strategy.process(
                job, lambda _: None
            )
        return found

    def damages(self) -> list[Any]:
        return [found for found in Item(self.store, ITEM).verify() if found]

    def requests(self) -> list[str]:
        found = [request.path for request, _ in self.server.log]
        self.server.clear_log()
        return found


@pytest.fixture
def archive(tmp_path: Path, httpserver: HTTPServer) -> BundleArchive:
    found = BundleArchive(tmp_path, httpserver)
    found.serve(streamed(FILES))
    return found


BUNDLED = (StrategyName.ARCHIVEORG_BUNDLED, StrategyName.WEB_BUNDLED)


@pytest.mark.parametrize("name", BUNDLED)
def test_a_bundle_is_stored_whole_with_its_interior(
    archive: BundleArchive, name: StrategyName
) -> None:
    for status in ("success", "success-existing"):
        found = archive.process(name)
        assert (found.status, found.ingest_strategy) == (status, name), found.message
        assert {file.path: file.md5 for file in found.manifest} == {
            path: md5(data) for path, data in FILES.items()
        }
        assert found.bundle_file_meta
        assert found.bundle_file_meta["md5hex"] == md5(streamed(FILES))
        assert found.bundle_file_meta["mimetype"] == "application/zip"
        assert found.bundle_terminal
        assert found.bundle_terminal["terminal_url"] == archive.server.url_for("/bundle")
        assert bool(found.bundle_cdx) is (name is StrategyName.WEB_BUNDLED)
    assert archive.requests() == ["/bundle"]
    assert archive.damages() == []
    assert [*archive.working.iterdir()] == []
    path = archive.root / ITEM / f"{ITEM}_bundle.zip"
    assert (found.bundle_archiveorg_path == path.name) is name.is_archiveorg
    assert not name.is_archiveorg or path.read_bytes() == streamed(FILES)


@pytest.mark.parametrize("name", BUNDLED)
def test_a_wrong_bundle_leaves_no_item_and_is_fetched_again(
    archive: BundleArchive, name: StrategyName
) -> None:
    archive.serve(without("ReadMe"))
    found = archive.process(name)
    assert (found.status, found.message) == ("bundle-mismatch", "missing: ReadMe")
    assert [file.status for file in found.manifest] == [
        *("verified-local", "verified-local", "bundle-mismatch")
    ]
    assert not archive.root.exists()
    archive.serve(streamed(FILES))
    assert archive.process(name).status == "success"


def test_files_that_are_stored_are_not_fetched_in_a_bundle_again(archive: BundleArchive) -> None:
    kinds = (StrategyName.ARCHIVEORG_FILESET, StrategyName.ARCHIVEORG_BUNDLED)
    item = archive.item()
    for name in kinds:
        found = archive.process(name, item)
        assert found.ingest_strategy == StrategyName.ARCHIVEORG_FILESET
    assert "/bundle" not in archive.requests()


def test_a_bundle_that_is_stored_is_not_fetched_as_files_again(archive: BundleArchive) -> None:
    archive.process(StrategyName.ARCHIVEORG_BUNDLED)
    found = archive.process(StrategyName.ARCHIVEORG_FILESET)
    assert (found.status, found.ingest_strategy) == (
        "success-existing",
        StrategyName.ARCHIVEORG_BUNDLED,
    )
    assert archive.requests() == ["/bundle"]


@pytest.mark.parametrize("name", [StrategyName.ARCHIVEORG_FILESET, *BUNDLED])
def test_a_bundle_of_other_files_is_never_replaced(
    archive: BundleArchive, name: StrategyName
) -> None:
    archive.process(name.stored(bundled=True))
    item = archive.item()
    item.files[1].md5 = md5(b"other")
    try:
        status = archive.process(name, item).status
    except FilesetError as error:
        status = error.status
    assert status == "conflict-existing"
    assert archive.damages() == []


def test_an_item_whose_list_is_missing_is_completed_without_a_transfer(
    archive: BundleArchive,
) -> None:
    archive.process(StrategyName.ARCHIVEORG_BUNDLED)
    (archive.root / ITEM / f"{ITEM}{SUMS}").unlink()
    # Zips that are made as they are sent have other bytes each time.
    archive.serve(zipped(FILES))
    assert archive.process(StrategyName.ARCHIVEORG_BUNDLED).status == "success"
    assert archive.requests() == []
    assert archive.damages() == []
    (archive.root / ITEM / f"{ITEM}{SUMS}").unlink()
    (archive.root / ITEM / f"{ITEM}_bundle.zip").write_bytes(without("ReadMe"))
    assert archive.process(StrategyName.ARCHIVEORG_BUNDLED).status == "conflict-existing"


def spoil(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"read me", b"read mE"))


def lose(path: Path) -> None:
    path.unlink()


def replace(path: Path) -> None:
    path.write_bytes(without("ReadMe"))


@each_row(
    ("change", "why"),
    [
        (spoil, "Bad CRC-32"),
        (lose, "missing"),
        (replace, "missing in the bundle"),
    ],
)
def test_damage_in_a_bundle_is_found(
    tmp_path: Path, httpserver: HTTPServer, change: Callable[[Path], None], why: str
) -> None:
    archive = BundleArchive(tmp_path / change.__name__, httpserver)
    archive.serve(zipped(FILES, method=0))
    archive.process(StrategyName.ARCHIVEORG_BUNDLED)
    change(archive.root / ITEM / f"{ITEM}_bundle.zip")
    assert why in " ".join(each.why for each in archive.damages())


def test_damage_in_a_captured_bundle_is_found(archive: BundleArchive) -> None:
    archive.process(StrategyName.WEB_BUNDLED)
    path = archive.root / ITEM / f"{ITEM}_capture.warc.gz"
    path.write_bytes(path.read_bytes()[:400])
    assert len(archive.damages()) > len(FILES)
