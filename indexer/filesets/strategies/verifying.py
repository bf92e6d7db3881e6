"""Compares a file that was read with what its platform announced (filesets.md 5.1)."""

from collections.abc import Mapping

from indexer.errors import FilesetError
from indexer.filesets.manifest import HASHES, FilesetManifestFile

MISMATCH: Mapping[str, str] = {
    "sha1": "mismatch-sha1",
    "sha256": "mismatch-sha256",
    "md5": "mismatch-md5",
    "sha512": "mismatch",
}
"""The status of a file with another hash; the statuses of 7 have no name for SHA-512."""


def mismatch(
    file: FilesetManifestFile, size: int, hashes: Mapping[str, str]
) -> FilesetError | None:
    """The first difference to the manifest; None if all that was announced is true."""
    if file.size is not None and file.size != size:
        return FilesetError("mismatch-size", f"{size:,} bytes instead of {file.size:,}")
    announced = file.hashes
    for name, status in MISMATCH.items():
        found = hashes.get(name)
        if name in announced and found and announced[name] != found:
            return FilesetError(status, f"{name} {found} instead of {announced[name]}")
    return None


def fill(file: FilesetManifestFile, size: int, hashes: Mapping[str, str]) -> None:
    """Set the size and all hashes of a verified file."""
    file.size = size
    file.add_hashes({name: hashes[name] for name in HASHES if name in hashes})
