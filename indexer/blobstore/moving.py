"""Moves files of this machine into blobstores: a directory on the same file system renames them."""

from pathlib import Path

from indexer.blobstore import Blobstore
from indexer.blobstore.directory import Directory
from indexer.errors import StorageError


def move_in(store: Blobstore, key: str, path: Path, sha256: str) -> str:
    """Store a file that is whole and on disk, remove it from its place, return the object's URL.

    `sha256` is its digest. The stored content is compared with it, unless the file was renamed.
    Raises StorageError, AccessDenied.
    """
    if isinstance(store, Directory) and (url := store.rename_in(key, path)):
        return url
    try:
        with path.open("rb") as file:
            url = store.put(key, file, sha256)
        path.unlink()
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror or error}") from error
    return url
