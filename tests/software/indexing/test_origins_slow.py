"""Indexing of directories with 100,000 entries: all pages are read."""

import pytest

from indexer.software.archives import objects
from indexer.software.archives.source_archive import DirectoryEntry
from indexer.software.indexing.origins import index_origins
from tests.software.archives.in_memory import MemoryArchive, number, ref
from tests.software.indexing.memory_rows import MemoryRows

URL = "https://example.org/project"
MANIFEST = b'{"name": "thing"}'


@pytest.mark.parametrize("place", [0, 50_000, 99_999])
def test_a_manifest_is_found_anywhere_in_a_huge_directory(place: int) -> None:
    archive = MemoryArchive()
    id = objects.blob_id(MANIFEST)
    archive.contents[id] = MANIFEST
    entries = [DirectoryEntry(f"f{n:06}", "file", id) for n in range(99_999)]
    entries.insert(place, DirectoryEntry("package.json", "file", id))
    archive.directories[number("root")] = entries
    archive.add_origin(URL, ref("dir", "root"))
    (result,) = index_origins(archive, [URL], MemoryRows())
    assert result.status == "indexed"
