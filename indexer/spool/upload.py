"""The upload of a spooled file to one store."""

import hashlib
from pathlib import Path
from typing import BinaryIO

from indexer.blobstore import Blobstore
from indexer.errors import AccessDenied, NotFound, StorageError
from indexer.spool.manifest import Manifest

CHUNK_BYTES = 1 << 20


def upload(path: Path, manifest: Manifest, store: Blobstore) -> str:
    """Put the file into the store, unless the store has it. Returns the object's URL.

    An object with the same key and other content is never replaced. Raises StorageError,
    AccessDenied.
    """
    # The process may have died after an upload, before the manifest was saved.
    there = _digest_there(manifest.key, store)
    if there == manifest.sha256:
        return f"{store.url.rstrip('/')}/{manifest.key}"
    if there:
        raise StorageError(f"{store.url} has another object named {manifest.key}: not replaced")
    with path.open("rb") as file:
        return store.put(manifest.key, file)


def digest(file: BinaryIO) -> str:
    """The sha256 of the rest of a stream, as hex."""
    sha256 = hashlib.sha256()
    while chunk := file.read(CHUNK_BYTES):
        sha256.update(chunk)
    return sha256.hexdigest()


def _digest_there(key: str, store: Blobstore) -> str:
    """The sha256 of the store's object; "" if it is missing or may not be read.

    Credentials that allow writing only are good practice.
    """
    try:
        with store.open(key) as file:
            return digest(file)
    except (NotFound, AccessDenied):
        return ""
