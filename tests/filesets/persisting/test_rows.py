"""The rows of a result: which tables, which columns, and what is refused (filesets.md 9)."""

from typing import Any

import pytest

from indexer.errors import Discard, Quarantine
from indexer.filesets.persisting.rows import request_rows, rows_of
from tests.each_row import each_row
from tests.filesets.persisting.results import (
    BASE_URL,
    CDX,
    FILE_META,
    REQUEST,
    SHA1,
    TERMINAL,
    dataset_file_result,
    file_result,
    fileset_result,
    manifest_file,
)


def tables(result: dict[str, Any]) -> list[str]:
    return sorted(row.table.name for row in rows_of(result))


def row(table: str, result: dict[str, Any]) -> dict[str, Any]:
    (found,) = (row.values for row in rows_of(result) if row.table.name == table)
    return found


ALWAYS = ["ingest_file_result", "ingest_request"]
PLATFORM = "ingest_fileset_platform"


@each_row(
    ("result", "wanted"),
    [
        (fileset_result(), ["file_meta", *ALWAYS, PLATFORM]),
        (fileset_result(cdx=CDX), ["cdx", "file_meta", *ALWAYS, PLATFORM]),
        (fileset_result(cdx=CDX | {"warc_path": "a.warc.gz"}), ["file_meta", *ALWAYS, PLATFORM]),
        (fileset_result(hit=False, status="platform-404", platform_name=None), ALWAYS),
        (fileset_result(hit=False, status="too-many-files", cdx=CDX), [*ALWAYS, PLATFORM]),
        (fileset_result(platform_domain=None), ["file_meta", *ALWAYS]),
        (dataset_file_result(), ["cdx", "file_meta", "ingest_file_result"]),
        (
            fileset_result(request=REQUEST | {"link_source": None}, file_meta=None),
            ["ingest_file_result", PLATFORM],
        ),
        (
            fileset_result(fileset_bundle={"file_meta": FILE_META}, file_meta=None),
            ["file_meta", *ALWAYS, PLATFORM],
        ),
    ],
)
def test_the_tables_of_a_result(result: dict[str, Any], wanted: list[str]) -> None:
    assert tables(result) == sorted(wanted)


def test_the_row_of_a_platform() -> None:
    bundle = {"archiveorg_bundle_path": "all.zip", "terminal": TERMINAL}
    found = row(PLATFORM, fileset_result(fileset_bundle=bundle, web_bundle_url="https://other"))
    assert found == {
        "ingest_type": "dataset",
        "base_url": BASE_URL,
        "hit": True,
        "status": "success",
        "platform_name": "zenodo",
        "platform_domain": "zenodo.org",
        "platform_id": "7",
        "ingest_strategy": "archiveorg-fileset",
        "total_size": 6,
        "file_count": 2,
        "archiveorg_item_name": "zenodo.org-7",
        "archiveorg_item_bundle_path": "all.zip",
        "web_bundle_url": "https://zenodo.org/records/7",
        "web_bundle_dt": "20260102030405",
        "manifest": [manifest_file(), manifest_file("b/c.csv")],
    }


@pytest.mark.parametrize("name", ["bundle_archiveorg_path", "archiveorg_item_bundle_path"])
def test_all_names_of_the_path_of_a_bundle_are_read(name: str) -> None:
    found = row(PLATFORM, fileset_result(fileset_bundle={name: "all.zip"}))
    assert found["archiveorg_item_bundle_path"] == "all.zip"


def test_the_row_of_a_request() -> None:
    assert row("ingest_request", file_result()) == {
        "ingest_type": "dataset",
        "base_url": BASE_URL,
        "link_source": "doi",
        "link_source_id": "10.5072/zenodo.7",
        "ingest_request_source": "fatcat-changelog",
        "release_stage": None,
        "request": {"ext_ids": {"doi": "10.5072/zenodo.7"}, "release_ident": "a" * 26},
    }
    assert request_rows(REQUEST | {"ingest_type": "dataset-file"}) == []


@each_row(
    ("given", "sha1", "of_index"),
    [
        ({}, SHA1, None),
        ({"sha1hex": None}, SHA1, None),
        ({"sha1b32": "A" * 32}, SHA1, "0" * 40),
        ({"sha1hex": SHA1.upper(), "sha1b32": "!"}, SHA1, None),
    ],
)
def test_the_hashes_of_a_capture(given: dict[str, Any], sha1: str, of_index: str | None) -> None:
    found = row("cdx", fileset_result(cdx=CDX | given))
    assert (found["sha1hex"], found["cdx_sha1hex"]) == (sha1, of_index)


@each_row(
    ("result", "status"),
    [
        ({}, "skip-request-fields"),
        ({"hit": True, "status": "success", "request": []}, "skip-request-fields"),
        (fileset_result(status=None), "skip-request-fields"),
        (fileset_result(request={"ingest_type": "dataset"}), "skip-request-fields"),
        (fileset_result(request=REQUEST | {"ingest_type": "data"}), "skip-ingest-type"),
        (fileset_result(request=REQUEST | {"ingest_type": None}), "skip-ingest-type"),
        (fileset_result(status="existing"), "skip-existing"),
        (fileset_result(request=REQUEST | {"base_url": "x" * 1501}), "skip-huge-url"),
        (fileset_result(request=REQUEST | {"base_url": "ø" * 1400}), "skip-huge-url"),
        (fileset_result(terminal={"terminal_url": "x" * 2049}), "skip-huge-url"),
    ],
)
def test_a_result_that_is_not_stored_is_counted(result: dict[str, Any], status: str) -> None:
    with pytest.raises(Discard) as found:
        rows_of(result)
    assert found.value.status == status


@each_row(
    ("result", "why"),
    [
        (fileset_result(hit="yes"), "hit"),
        (fileset_result(request=REQUEST | {"base_url": ""}), "base_url"),
        (fileset_result(request=REQUEST | {"base_url": 7}), "base_url"),
        (fileset_result(total_size=2**63), "total_size"),
        (fileset_result(file_count="many"), "file_count"),
        (fileset_result(terminal={"terminal_dt": "2026"}), "terminal_dt"),
        (fileset_result(file_meta=FILE_META | {"md5hex": "x"}), "md5hex"),
        (fileset_result(manifest="none"), "manifest"),
    ],
)
def test_a_value_of_another_type_is_quarantined_with_its_name(
    result: dict[str, Any], why: str
) -> None:
    with pytest.raises(Quarantine, match=why) as found:
        rows_of(result)
    assert found.value.status == "bad-result"


def test_what_no_database_stores_is_replaced() -> None:
    strange = manifest_file("a\x00\ud800\x01", size=2**80, extra={"\x00": [float("inf"), ""]})
    found = row(PLATFORM, fileset_result(manifest=[strange], total_size="6"))
    (file,) = found["manifest"]
    assert (file["path"], file["extra"]) == ("a\ufffd\ufffd\x01", {"\ufffd": [None, None]})
    assert (found["total_size"], file["size"]) == (6, 2**80)


def test_values_that_are_nested_too_deeply_are_quarantined() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(Quarantine):
        rows_of(fileset_result(manifest=[manifest_file(extra={"deep": deep})]))


def test_older_shapes_of_a_terminal_have_rows_without_it() -> None:
    assert row("ingest_file_result", fileset_result(terminal=None))["terminal_url"] is None
