"""The result of a request: which fields it has, and when (filesets.md 6)."""

from typing import Any

from indexer.filesets.landing.resource import Resource
from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.results.result import Ingest, dataset_file_result, fileset_result
from indexer.filesets.strategies.choosing import StrategyChoice, StrategyName
from indexer.filesets.strategies.strategy import ArchiveStrategyResult, file_meta, file_terminal
from tests.each_row import each_row

REQUEST = {"ingest_type": "dataset", "base_url": "https://a.example/", "new": 1}
PAGE = Resource(
    ["https://a.example/", "https://b.example/"],
    "https://b.example/",
    "20260102030405",
    200,
    body=b"<p>",
)
FILE = FilesetManifestFile(
    path="a",
    size=3,
    md5="1" * 32,
    sha1="2" * 40,
    sha256="3" * 64,
    mimetype="text/csv",
    platform_url="https://b.example/a",
)


def item(count: int = 1) -> FilesetPlatformItem:
    return FilesetPlatformItem(
        platform_name="zenodo",
        platform_status="success",
        platform_id="7",
        archiveorg_item_name="zenodo.org-7",
        manifest=[FILE] * count,
    )


def archived(name: StrategyName, status: str) -> Ingest:
    found = ArchiveStrategyResult(name, status, [FILE])
    if name.is_file:
        found.file_file_meta, found.file_terminal = file_meta(FILE), file_terminal(FILE)
    choice = StrategyChoice(name, "because")
    return Ingest(REQUEST, "https://a.example/", status, "", PAGE, {}, item(), choice, found)


def test_what_is_always_there() -> None:
    assert fileset_result(Ingest({"line": "x"}).fail("bad-request", "a\n" + "b" * 2000)) == {
        "hit": False,
        "status": "bad-request",
        "request": {"line": "x"},
        "hops": [],
        "error_message": "a " + "b" * 1598,
    }


def test_the_landing_page() -> None:
    found = fileset_result(Ingest(REQUEST, "https://a.example/", resource=PAGE))
    assert found["hops"] == ["https://a.example/", "https://b.example/"]
    assert found["terminal"]["terminal_sha1hex"] == found["file_meta"]["sha1hex"]
    assert found["file_meta"]["size_bytes"] == 3


@each_row(
    ("name", "status", "field", "is_there"),
    [
        ("archiveorg-file", "success-file", "archiveorg_item_name", True),
        ("web-file", "success-file", "archiveorg_item_name", False),
        ("archiveorg-file", "success-file", "fileset_file", True),
        ("archiveorg-file", "success-existing", "fileset_file", True),
        ("archiveorg-fileset", "success", "fileset_file", False),
        ("archiveorg-fileset", "success", "strategy_reason", True),
    ],
)
def test_fields_of_strategies(name: str, status: str, field: str, is_there: bool) -> None:
    found = fileset_result(archived(StrategyName(name), status))
    assert (field in found) is is_there
    assert found["hit"] is True
    assert (found["file_count"], found["total_size"]) == (1, 3)


@each_row(
    ("name", "status", "is_there"),
    [
        ("archiveorg-file", "success-file", True),
        ("web-file", "success-existing", True),
        ("archiveorg-file", "mismatch-md5", False),
        ("archiveorg-fileset", "success", False),
    ],
)
def test_the_result_of_a_single_file(name: str, status: str, is_there: bool) -> None:
    found: Any = dataset_file_result(archived(StrategyName(name), status))
    assert (found is not None) is is_there
    if found:
        assert found["request"] == REQUEST | {"ingest_type": "dataset-file"}
        assert found["file_meta"]["mimetype"] == "text/csv"
        assert found["terminal"]["terminal_url"] == "https://b.example/a"


def test_a_manifest_with_too_many_files_is_cut() -> None:
    found = fileset_result(Ingest(REQUEST, item=item(10_001)).fail("too-many-files", ""))
    assert (len(found["manifest"]), found["file_count"]) == (200, 10_001)
