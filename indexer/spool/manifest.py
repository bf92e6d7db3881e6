"""Manifests: JSON files that describe a spooled file, and list the stores that have it.

`upload` brings a spooled file to one store.
"""

from pathlib import Path

import msgspec

from indexer.blobstore import Blobstore, sha256_of
from indexer.errors import AccessDenied, NotFound, StorageError
from indexer.files.whole_files import write_whole


class Manifest(msgspec.Struct, kw_only=True):
    """A spooled file. `sealed` is in seconds since the epoch; `items` are the names of its items.

    `stores` has the URL of the object in each store that has the file, by the store's name.
    """

    key: str
    size: int
    sha256: str
    sealed: float
    items: list[str]
    stores: dict[str, str] = {}

    def save(self, path: Path) -> None:
        """Write the manifest to a file, whole or not at all, durably. Raises OSError."""
        write_whole(path, msgspec.json.format(msgspec.json.encode(self), indent=1))

    @classmethod
    def load(cls, path: Path) -> "Manifest | None":
        """The manifest in a file; None if the file is missing or no manifest."""
        try:
            return msgspec.json.decode(path.read_bytes(), type=cls)
        except (FileNotFoundError, msgspec.MsgspecError, UnicodeDecodeError):
            return None


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


def _digest_there(key: str, store: Blobstore) -> str:
    """The sha256 of the store's object; "" if it is missing or may not be read.

    Credentials that allow writing only are good practice.
    """
    try:
        with store.open(key) as file:
            return sha256_of(file)
    except (NotFound, AccessDenied):
        return ""
