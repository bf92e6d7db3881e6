"""The manifest: names of the seed, all hashes of a file, sizes."""

import msgspec

from indexer.filesets.manifest import FilesetManifestFile, total_size


def test_a_file_is_written_without_what_is_unknown() -> None:
    file = FilesetManifestFile(path="a/b.csv", size=0, md5="AB")
    assert msgspec.to_builtins(file) == {"path": "a/b.csv", "size": 0, "md5": "AB"}


def test_hashes_are_in_lower_case_and_sha512_is_in_extra() -> None:
    file = FilesetManifestFile(path="a", md5="AB")
    file.add_hashes({"sha1": "cd", "sha512": "ef"})
    file.add_extra(description="", version=2)
    assert file.hashes == {"md5": "ab", "sha1": "cd", "sha512": "ef"}
    assert file.extra == {"sha512": "ef", "version": 2}


def test_an_unknown_size_counts_as_nothing() -> None:
    sizes = [3, None, 4]
    assert total_size(FilesetManifestFile(path="a", size=size) for size in sizes) == 7
