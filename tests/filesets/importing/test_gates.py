"""The gates of the importers as tables: each skip has its name (filesets.md 9.1)."""

from typing import Any

import pytest

from indexer.errors import Discard
from indexer.filesets.importing.entities import file_entity, fileset_entity
from indexer.filesets.importing.gates import LINK_SOURCES, REQUEST_SOURCES
from indexer.filesets.importing.options import EntityOptions
from tests.each_row import each_row
from tests.filesets.persisting.results import (
    FILE_META,
    REQUEST,
    dataset_file_result,
    file_result,
    fileset_result,
    manifest_file,
)

OPTIONS = EntityOptions()
TWO = [manifest_file(), manifest_file("b")]
EMPTY = manifest_file("empty", size=0, mimetype="application/x-empty")


def fileset_files(*files: dict[str, Any]) -> dict[str, Any]:
    return fileset_result(manifest=[*files], file_count=len(files))


def request(**given: Any) -> dict[str, Any]:
    return {"request": REQUEST | given}


SOURCES = [
    (request(ingest_request_source="user"), "skip-ingest-request-source"),
    (request(ingest_request_source=None), "skip-ingest-request-source"),
    (request(link_source="web"), "skip-link-source"),
    (request(link_source=["doi"]), "skip-link-source"),
    (request(ingest_type="pdf"), "skip-ingest-type"),
    (request(fatcat=None, ext_ids=None), "skip-release-not-found"),
    (request(fatcat={"release_ident": "short"}, ext_ids={"doi": ""}), "skip-release-not-found"),
    ({"hit": False, "status": "no-capture"}, "skip-hit"),
    ({"hit": None}, "skip-hit"),
    ({"request": None}, "skip-ingest-request-source"),
    ({"manifest": None}, "skip-empty-manifest"),
    ({"manifest": []}, "skip-empty-manifest"),
    ({"manifest": "many"}, "skip-empty-manifest"),
]
"""What no importer takes."""


def skip(entity: Any, result: dict[str, Any]) -> str:
    with pytest.raises(Discard) as found:
        entity(result, OPTIONS)
    return found.value.status


@each_row(("given", "status"), SOURCES)
def test_what_no_importer_takes(given: dict[str, Any], status: str) -> None:
    assert skip(fileset_entity, fileset_result(**given)) == status
    assert skip(file_entity, file_result(**given)) == status


@each_row(
    ("result", "status"),
    [
        (fileset_result(status="success-partial"), "skip-status"),
        (file_result(), "skip-status"),
        (file_result(status="success-existing"), "skip-single-file"),
        (fileset_files(manifest_file()), "skip-single-file"),
        (fileset_result(ingest_strategy=None), "skip-strategy"),
        (fileset_files(*[manifest_file(str(at)) for at in range(301)]), "skip-too-many-files"),
        (fileset_result(file_count=3), "skip-file-count"),
        (fileset_result(file_count=None), "skip-file-count"),
        (fileset_files(*TWO, manifest_file(md5=None)), "skip-partial-file-info"),
        (fileset_files(*TWO, manifest_file(sha1="")), "skip-partial-file-info"),
        (fileset_files(*TWO, manifest_file(path="")), "skip-partial-file-info"),
        (fileset_files(*TWO, manifest_file() | {"path": 7}), "skip-partial-file-info"),
        (fileset_files(*TWO, manifest_file(size=None)), "skip-partial-file-info"),
        (fileset_files(*TWO, manifest_file(size="3")), "skip-partial-file-info"),
        (fileset_files(*TWO, manifest_file(mimetype=None)), "skip-partial-file-info"),
        (fileset_files(*TWO, manifest_file(md5="2" * 40)), "skip-bad-hashes"),
        (fileset_files(*TWO, manifest_file(sha1="g" * 40)), "skip-bad-hashes"),
        (fileset_files(*TWO, manifest_file(sha256="3" * 63)), "skip-bad-hashes"),
        (
            fileset_result(ingest_strategy="web-fileset", terminal=None, platform_base_url=None),
            "skip-no-access-url",
        ),
        (dataset_file_result(), "skip-ingest-type"),
    ],
)
def test_what_the_fileset_importer_skips(result: dict[str, Any], status: str) -> None:
    assert skip(fileset_entity, result) == status


@each_row(
    ("result", "status"),
    [
        (fileset_result(status="success-existing"), "skip-multiple-files"),
        (file_result(ingest_strategy="archiveorg-fileset"), "skip-multiple-files"),
        (file_result(manifest=TWO), "skip-multiple-files"),
        (file_result(status="success"), "skip-status"),
        (file_result(manifest=[manifest_file(status="verified-local")]), "skip-file-status"),
        (file_result(manifest=[manifest_file(sha256=None)]), "skip-partial-file-info"),
        (file_result(manifest=[manifest_file(md5="2" * 40)]), "skip-bad-hashes"),
        (
            file_result(manifest=[manifest_file(platform_url=None)], archiveorg_item_name=None),
            "skip-no-access-url",
        ),
        (dataset_file_result(status="success-file"), "skip-status"),
        (dataset_file_result(file_meta=None), "skip-partial-file-info"),
        (dataset_file_result(file_meta=[FILE_META]), "skip-partial-file-info"),
        (dataset_file_result(file_meta=FILE_META | {"md5hex": "2" * 40}), "skip-bad-hashes"),
        (dataset_file_result(terminal=None, cdx=None), "skip-no-access-url"),
    ],
)
def test_what_the_file_importer_skips(result: dict[str, Any], status: str) -> None:
    assert skip(file_entity, result) == status


@each_row(
    "given",
    [
        *({"request": REQUEST | {"link_source": source}} for source in sorted(LINK_SOURCES)),
        *(
            {"request": REQUEST | {"ingest_request_source": source}}
            for source in sorted(REQUEST_SOURCES)
        ),
        {"status": "success-existing"},
    ],
)
def test_what_both_importers_take(given: dict[str, Any]) -> None:
    assert fileset_entity(fileset_result(**given), OPTIONS)
    assert file_entity(file_result(**given), OPTIONS)


@pytest.mark.parametrize("files", [[EMPTY, *TWO], [manifest_file(str(at)) for at in range(300)]])
def test_files_without_bytes_and_300_files_are_taken(files: list[dict[str, Any]]) -> None:
    assert len(fileset_entity(fileset_files(*files), OPTIONS)["manifest"]) == len(files)


def test_a_single_file_of_any_type_is_taken() -> None:
    for given in (EMPTY, manifest_file(mimetype="application/x-unheard-of", status="exists")):
        assert file_entity(file_result(manifest=[given]), OPTIONS)["mimetype"] == given["mimetype"]
