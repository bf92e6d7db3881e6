"""Manifests: JSON files that describe a spooled file, and list the stores that have it.

`upload` brings a spooled file to one store.
"""

import re
from enum import Enum
from pathlib import Path

import msgspec

from indexer.blobstore import Blobstore, sha256_of
from indexer.errors import AccessDenied, NotFound
from indexer.files.whole_files import write_whole
from indexer.system.loggers import get_logger

log = get_logger()


class Manifest(msgspec.Struct, kw_only=True):
    """A spooled file. `sealed` is in seconds since the epoch; `items` are the names of its items.

    `stores` has the URL of the object in each store that has the file, by the store's name.
    `companions` names the stores that have the file's companion, too.
    """

    key: str
    size: int
    sha256: str
    sealed: float
    items: list[str]
    stores: dict[str, str] = {}
    companions: list[str] = []

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


class UploadState(Enum):
    """What a store has under a key, compared with a file."""

    NOTHING = "nothing, or nothing that may be read"
    FILE = "the file"
    DAMAGED = "an upload of the file, which the store has cut or changed"
    OTHER = "another object"


def upload(path: Path, manifest: Manifest, store: Blobstore) -> str:
    """Put the file into the store, unless the store has it. Returns the object's URL.

    A damaged upload of the file is replaced. Another object is kept, and the file gets another key.
    Raises StorageError, AccessDenied.
    """
    key = manifest.key
    found = find(key, manifest, store)
    if found is UploadState.OTHER:
        key = other_key(manifest)
        log.warning("the key is taken", store=store.url, key=manifest.key, used=key)
        found = find(key, manifest, store)
    # The process may have died after an upload, before the manifest was saved.
    if found is UploadState.FILE:
        return f"{store.url.rstrip('/')}/{key}"
    with path.open("rb") as file:
        return store.put(key, file, manifest.sha256)


def find(key: str, manifest: Manifest, store: Blobstore) -> UploadState:
    """Compare the store's object with the file. Raises StorageError."""
    try:
        there = store.stat(key)
        if there.size == manifest.size:
            with store.open(key) as object:
                if sha256_of(object) == manifest.sha256:
                    return UploadState.FILE
    # Credentials that allow writing only are good practice.
    except (NotFound, AccessDenied):
        return UploadState.NOTHING
    # An object that was stored as this content is a damaged upload of it.
    ours = there.sha256 == manifest.sha256 or key == other_key(manifest)
    return UploadState.DAMAGED if ours else UploadState.OTHER


def other_key(manifest: Manifest) -> str:
    """The key of a file whose own key is taken: it contains the digest of the file.

    So every object of this key is an upload of the file.
    """
    return _SUFFIX.sub(rf"-{manifest.sha256[:16]}\1", manifest.key, count=1)


def key_in(manifest: Manifest, store: str) -> str:
    """The key of the file in a store that has it."""
    other = other_key(manifest)
    return other if manifest.stores[store].endswith(f"/{other}") else manifest.key


_SUFFIX = re.compile(r"((?:\.\w+)?\.gz|\.\w+|)$")
