"""What every kind of archive promises: the same project gives the same answers."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from indexer.software.archives import objects
from indexer.software.archives.heads import head_of
from indexer.software.archives.opening import on_disk
from indexer.software.archives.source_archive import ObjectKind, ObjectRef, SourceArchive
from tests.software.archives.project import FILES, MANIFEST, URL, WRITERS, root_id

UNKNOWN = "0" * 40


@pytest.fixture(params=WRITERS)
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SourceArchive]:
    """The project in an archive of each kind."""
    with closing(on_disk(WRITERS[request.param](tmp_path))) as found:
        yield found


def test_the_root_directory_lists_the_files(archive: SourceArchive) -> None:
    pages = archive.pages(head_of(archive, URL).directory)
    assert pages is not None
    names = {entry.name for page in pages for entry in page}
    assert names - {"lib"} == {name for name in FILES if "/" not in name}


def test_a_content_is_found_by_its_id(archive: SourceArchive) -> None:
    head_of(archive, URL)
    found = archive.content(objects.blob_id(MANIFEST))
    assert found is not None
    assert (found.data, found.size) == (MANIFEST, len(MANIFEST))
    assert found.sha1 == objects.sha1(MANIFEST)


def test_unknown_objects_are_none(archive: SourceArchive) -> None:
    head_of(archive, URL)
    assert archive.pages(UNKNOWN) is None
    assert archive.content(UNKNOWN) is None
    assert archive.peel(ObjectRef(ObjectKind.REVISION, UNKNOWN)) is None
    assert archive.peel(ObjectRef(ObjectKind.RELEASE, UNKNOWN)) is None


@pytest.mark.parametrize("kind", sorted({*WRITERS} - {"lines"}))
def test_ids_are_those_of_git(kind: str, tmp_path: Path) -> None:
    with closing(on_disk(WRITERS[kind](tmp_path))) as archive:
        assert head_of(archive, URL).directory == root_id(tmp_path / "other")


def test_an_empty_content_is_a_content(tmp_path: Path) -> None:
    for kind in {*WRITERS} - {"lines"}:
        place = tmp_path / kind
        place.mkdir()
        with closing(on_disk(WRITERS[kind](place))) as archive:
            head_of(archive, URL)
            found = archive.content(objects.blob_id(b""))
            assert found is not None, kind
            assert (found.data, found.sha1) == (b"", objects.sha1(b""))
