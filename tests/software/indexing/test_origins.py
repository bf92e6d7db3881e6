"""Indexing: head → directory → contents → rows; what is written, and what is not (spec 2)."""

from dataclasses import replace

import pytest

from indexer.errors import InputError
from indexer.software.archives import objects
from indexer.software.archives.source_archive import (
    MAX_CONTENT,
    ContentBytes,
    DirectoryEntry,
    OriginVisit,
)
from indexer.software.formats.javascript import NPM
from indexer.software.indexing.origins import IndexedOrigin, index_origins
from indexer.software.rules.key_rule import KeyRule
from indexer.software.rules.manifest_format import ManifestFormat
from indexer.software.syntax.json_file import read_json
from tests.software.archives.in_memory import MemoryArchive, number, ref
from tests.software.indexing.memory_rows import MemoryRows

URL = "https://example.org/project"
OTHER = "https://example.org/fork"
MANIFEST = b'{"name": "thing", "version": "1.2"}'

SECOND = ManifestFormat(
    "second", "SecondMapping", ("second.json",), read_json, rules=(KeyRule("name", "name"),)
)
FORMATS = (replace(NPM, rank=1), SECOND)


@pytest.fixture
def archive() -> MemoryArchive:
    """An archive of one origin with one manifest."""
    found = MemoryArchive()
    found.add_origin(URL, found.add_directory("root", {"package.json": MANIFEST}))
    return found


@pytest.fixture
def rows() -> MemoryRows:
    """Rows, none stored."""
    return MemoryRows()


def index(
    archive: MemoryArchive,
    rows: MemoryRows,
    *urls: str,
    formats: tuple[ManifestFormat, ...] = FORMATS,
) -> list[str]:
    """Index origins; the status of each."""
    return [each.status.value for each in index_origins(archive, urls or [URL], rows, formats)]


def test_an_origin_gets_the_metadata_of_its_head(archive: MemoryArchive, rows: MemoryRows) -> None:
    assert index(archive, rows) == ["indexed"]
    row = rows.stored_origins[URL]
    assert (row.metadata["name"], row.metadata["version"]) == ("thing", "1.2")
    assert (row.mappings, row.from_directory) == (("npm",), number("root"))
    assert (row.head, row.branch) == (ref("dir", "root").swhid, "HEAD")
    assert row.reason == "branch HEAD"
    assert rows.stored_directories[number("root")].metadata == row.metadata
    assert rows.written == {
        "content_metadata:add": 1,
        "directory_intrinsic_metadata:add": 1,
        "origin_intrinsic_metadata:add": 1,
    }


def test_an_unchanged_origin_writes_nothing_and_reads_no_content(
    archive: MemoryArchive, rows: MemoryRows
) -> None:
    index(archive, rows)
    archive.reads.clear()
    assert index(archive, rows) == ["unchanged"]
    assert len(rows.writes) == 1
    assert archive.reads == []


def test_all_rows_of_a_batch_are_one_transaction(archive: MemoryArchive, rows: MemoryRows) -> None:
    archive.add_origin(OTHER, archive.add_directory("other", {"package.json": b'{"name": "x"}'}))
    index(archive, rows, URL, OTHER)
    assert len(rows.writes) == 1


def test_a_fork_with_the_same_directory_only_gets_a_row_of_its_own(
    archive: MemoryArchive, rows: MemoryRows
) -> None:
    index(archive, rows)
    archive.reads.clear()
    archive.add_origin(OTHER, ref("dir", "root"))
    assert index(archive, rows, OTHER) == ["indexed"]
    assert archive.reads == []
    assert rows.writes[1].counts["origin_intrinsic_metadata:add"] == 1
    assert sum(rows.writes[1].counts.values()) == 1


def test_the_same_content_in_another_directory_is_not_translated_again(
    archive: MemoryArchive, rows: MemoryRows
) -> None:
    index(archive, rows)
    root = archive.add_directory("next", {"package.json": MANIFEST, "README": b"new"})
    archive.add_origin(URL, root)
    assert index(archive, rows) == ["indexed"]
    assert rows.writes[1].contents == []


def test_an_origin_that_comes_twice_has_one_result(
    archive: MemoryArchive, rows: MemoryRows
) -> None:
    assert index(archive, rows, URL, URL) == ["indexed"]


def test_a_removed_manifest_leaves_a_tombstone(archive: MemoryArchive, rows: MemoryRows) -> None:
    index(archive, rows)
    archive.add_origin(URL, archive.add_directory("empty", {"README": b""}))
    assert index(archive, rows) == ["removed"]
    row = rows.stored_origins[URL]
    assert row.is_tombstone
    assert row.from_directory == number("empty")
    assert index(archive, rows) == ["no-metadata"]
    assert len(rows.writes) == 2
    archive.add_origin(URL, ref("dir", "root"))
    assert index(archive, rows) == ["indexed"]
    assert not rows.stored_origins[URL].is_tombstone


def test_an_origin_whose_snapshot_became_empty_leaves_a_tombstone(
    archive: MemoryArchive, rows: MemoryRows
) -> None:
    index(archive, rows)
    archive.visits[URL] = OriginVisit("git", {})
    assert index(archive, rows) == ["removed"]
    assert rows.stored_origins[URL].reason == "an empty snapshot"


@pytest.mark.parametrize("content", [b"{}", b"no json", b"", b"\xff\xfe", b"[]", b"{" * 100_000])
def test_a_file_without_metadata_gives_no_row_and_is_not_translated_again(
    content: bytes, rows: MemoryRows
) -> None:
    archive = MemoryArchive()
    archive.add_origin(URL, archive.add_directory("root", {"package.json": content}))
    assert index(archive, rows) == ["no-metadata"]
    assert rows.written == {"content_metadata:add": 1}
    assert index(archive, rows) == ["no-metadata"]
    assert len(rows.writes) == 1


def test_a_new_version_of_a_mapping_translates_only_its_files(rows: MemoryRows) -> None:
    archive = MemoryArchive()
    both = {"package.json": MANIFEST, "second.json": b'{"name": "thing"}'}
    archive.add_origin(URL, archive.add_directory("root", both))
    archive.add_origin(OTHER, archive.add_directory("other", {"second.json": b'{"name": "x"}'}))
    index(archive, rows, URL, OTHER)
    archive.reads.clear()
    changed = (replace(FORMATS[0], version=2), SECOND)
    assert index(archive, rows, URL, OTHER, formats=changed) == ["unchanged", "unchanged"]
    assert archive.reads == [objects.blob_id(MANIFEST)]
    assert rows.writes[1].counts == {
        "content_metadata:add": 1,
        # The version of the translation is a part of the row.
        "directory_intrinsic_metadata:add": 1,
        "origin_intrinsic_metadata:add": 0,
        "origin_extrinsic_metadata:add": 0,
    }
    index(archive, rows, URL, OTHER, formats=changed)
    assert len(rows.writes) == 2


def test_a_new_format_finds_its_files_in_directories_seen_before(rows: MemoryRows) -> None:
    archive = MemoryArchive()
    both = {"package.json": MANIFEST, "second.json": b'{"name": "thing"}'}
    archive.add_origin(URL, archive.add_directory("root", both))
    index(archive, rows, formats=FORMATS[:1])
    assert index(archive, rows) == ["indexed"]
    assert rows.stored_origins[URL].mappings == ("npm", "second")
    assert [row.key.mapping for row in rows.writes[1].contents] == ["second"]


def test_a_mapping_without_metadata_is_named_too(rows: MemoryRows) -> None:
    archive = MemoryArchive()
    files = {"package.json": MANIFEST, "second.json": b"broken"}
    archive.add_origin(URL, archive.add_directory("root", files))
    index(archive, rows)
    assert rows.stored_origins[URL].mappings == ("npm", "second")


def test_conflicts_are_stored_with_their_files(rows: MemoryRows) -> None:
    archive = MemoryArchive()
    files = {"package.json": MANIFEST, "second.json": b'{"name": "another"}'}
    archive.add_origin(URL, archive.add_directory("root", files))
    index(archive, rows)
    (conflict,) = rows.stored_directories[number("root")].conflicts
    assert conflict["term"] == "name"
    assert conflict["others"] == [{"value": "another", "stated": ["second.json#/name"]}]


def test_a_wrapped_directory_is_unwrapped_once(rows: MemoryRows) -> None:
    archive = MemoryArchive()
    inner = archive.add_directory("inner", {"package.json": MANIFEST})
    archive.add_origin(URL, archive.add_directory("wrapper", {"thing-1.2": inner}))
    outer = archive.add_directory("outer", {"a": archive.add_directory("wrapped", {"b": inner})})
    archive.add_origin(OTHER, outer)
    assert index(archive, rows, URL, OTHER) == ["indexed", "no-metadata"]
    (manifest,) = rows.stored_directories[number("wrapper")].manifests
    assert manifest.path == "thing-1.2/package.json"


def test_a_directory_beside_a_file_is_not_unwrapped(rows: MemoryRows) -> None:
    archive = MemoryArchive()
    inner = archive.add_directory("inner", {"package.json": MANIFEST})
    archive.add_origin(URL, archive.add_directory("root", {"lib": inner, "README": b""}))
    assert index(archive, rows) == ["no-metadata"]


def test_links_and_directories_are_no_manifests(rows: MemoryRows) -> None:
    archive = MemoryArchive()
    archive.directories[number("root")] = [
        DirectoryEntry("package.json", type, objects.blob_id(MANIFEST))
        for type in ("link", "dir", "rev")
    ]
    archive.contents[objects.blob_id(MANIFEST)] = MANIFEST
    archive.add_origin(URL, ref("dir", "root"))
    assert index(archive, rows) == ["no-metadata"]


def test_of_two_files_of_a_format_the_exact_name_counts(rows: MemoryRows) -> None:
    archive = MemoryArchive()
    files = {"PACKAGE.JSON": b'{"name": "wrong"}', "package.json": MANIFEST}
    archive.add_origin(URL, archive.add_directory("root", files))
    index(archive, rows)
    assert rows.stored_origins[URL].metadata["name"] == "thing"


def test_a_missing_content_is_told_and_looked_for_again(
    archive: MemoryArchive, rows: MemoryRows
) -> None:
    archive.directories[number("root")] = [
        *archive.directories[number("root")],
        DirectoryEntry("second.json", "file", objects.blob_id(b'{"name": "late"}')),
    ]
    assert index(archive, rows) == ["indexed"]
    lost = rows.stored_directories[number("root")].manifests[1]
    assert (lost.sha1, lost.why) == ("", "the archive lacks this content")
    archive.contents[objects.blob_id(b'{"name": "late"}')] = b'{"name": "late"}'
    index(archive, rows)
    assert rows.stored_directories[number("root")].manifests[1].why == ""


def test_a_content_that_is_too_large_is_told(archive: MemoryArchive, rows: MemoryRows) -> None:
    class Large(MemoryArchive):
        def content(self, id: str) -> ContentBytes | None:
            return ContentBytes(b"", MAX_CONTENT + 1, "")

    large = Large(archive.visits, {}, archive.directories, archive.contents)
    assert index(large, rows) == ["no-metadata"]
    assert rows.writes == []


class Damaged(MemoryArchive):
    """An archive in which one directory can't be read."""

    def pages(self, directory: str):  # type: ignore[no-untyped-def]
        if directory == number("damaged"):
            raise InputError("damaged")
        return super().pages(directory)


def test_a_failing_origin_does_not_keep_the_others_out(rows: MemoryRows) -> None:
    archive = Damaged()
    good = archive.add_directory("root", {"package.json": MANIFEST})
    archive.add_origin(URL, good)
    archive.add_origin("damaged", ref("dir", "damaged"))
    archive.add_origin("lost", ref("dir", "lost"))
    archive.add_origin("lost revision", ref("rev", "lost"))
    results = index_origins(archive, ["damaged", "lost", "lost revision", "?", URL], rows, FORMATS)
    assert [each.status.value for each in results] == [
        "bad-archive",
        "bad-archive",
        "bad-archive",
        "unknown-origin",
        "indexed",
    ]
    assert results[0] == IndexedOrigin("damaged", results[0].status, "damaged")
    assert "lacks swh:1:dir:" in results[1].why


def test_what_an_archive_lacks_is_no_reason_for_a_tombstone(
    archive: MemoryArchive, rows: MemoryRows
) -> None:
    index(archive, rows)
    archive.visits[URL] = OriginVisit("git", {"HEAD": ref("rev", "lost")})
    assert index(archive, rows) == ["bad-archive"]
    del archive.visits[URL]
    assert index(archive, rows) == ["unknown-origin"]
    assert not rows.stored_origins[URL].is_tombstone


def test_many_origins_are_indexed_in_slices(rows: MemoryRows) -> None:
    archive = MemoryArchive()
    urls = [f"https://example.org/{n}" for n in range(450)]
    for url in urls:
        root = archive.add_directory(url[-20:], {"package.json": b'{"name": "%s"}' % url.encode()})
        archive.add_origin(url, root)
    assert set(index(archive, rows, *urls)) == {"indexed"}
    assert len(rows.writes) == 3
    assert index(archive, rows, *urls) == ["unchanged"] * 450


def test_a_file_in_a_folder_that_its_format_names_is_found(rows: MemoryRows) -> None:
    control = replace(SECOND, files=("debian/control",))
    archive = MemoryArchive()
    debian = archive.add_directory("debian", {"control": b'{"name": "thing"}'})
    root = archive.add_directory("root", {"Debian": debian, "control": b'{"name": "no"}'})
    archive.add_origin(URL, root)
    assert index(archive, rows, formats=(control,)) == ["indexed"]
    (manifest,) = rows.stored_directories[number("root")].manifests
    assert manifest.path == "Debian/control"
    assert rows.stored_origins[URL].metadata["name"] == "thing"


def test_a_folder_has_no_files_of_the_root(rows: MemoryRows) -> None:
    formats = (FORMATS[0], replace(SECOND, files=("debian/control",)))
    archive = MemoryArchive()
    debian = archive.add_directory("debian", {"package.json": MANIFEST})
    archive.add_origin(URL, archive.add_directory("root", {"debian": debian, "README": b""}))
    assert index(archive, rows, formats=formats) == ["no-metadata"]
