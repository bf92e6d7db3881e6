"""Blobstores: where archives and inputs are kept. A URL chooses one.

data/archive, file:///data/archive       a directory
s3://bucket/prefix                       S3, or any server that speaks it (Credentials: endpoint)
b2://bucket/prefix                       Backblaze B2, at the endpoint of its region
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from importlib import import_module
from typing import BinaryIO, NamedTuple, Protocol

from pydantic import SecretStr

from indexer.errors import ConfigurationError


class StoreCredentials(NamedTuple):
    """How to reach an S3 server. Blank means: what the AWS client finds by itself.

    `endpoint` is a URL: MinIO, Backblaze B2, versitygw; blank is Amazon's own.
    """

    access_key_id: str = ""
    secret_access_key: SecretStr = SecretStr("")
    region: str = ""
    endpoint: str = ""


class BlobEntry(NamedTuple):
    """One object of a listing. `version` changes when its content does; `size` in bytes."""

    key: str
    version: str
    size: int


class ObjectVersion(NamedTuple):
    """One version of an object: when it was stored (UTC), and its size in bytes.

    `id` names it for `open`; blank where the store doesn't keep versions.
    """

    id: str
    modified: datetime
    size: int


class Blobstore(Protocol):
    """Named objects. Keys are relative, with `/` between parts; `..` is refused."""

    url: str
    """Where it is, for a person: no credentials in it."""

    def put(self, key: str, file: BinaryIO) -> str:
        """Store all of a file, whole or not at all, and return the object's URL.

        What is stored is checked against what was read. Raises StorageError, AccessDenied.
        """

    def open(self, key: str, version: str = "") -> BinaryIO:
        """Read an object, or the version of it with that id, as a stream.

        Raises NotFound, AccessDenied, StorageError.
        """

    def stat(self, key: str) -> ObjectVersion:
        """The current version of an object, without reading it. Raises as `open` does."""

    def versions(self, key: str) -> Sequence[ObjectVersion]:
        """All versions of an object that can be read, the newest first; at least one.

        What was deleted has no version of its own, but those from before. Raises as `open` does.
        """

    def entries(self, prefix: str = "") -> Iterator[BlobEntry]:
        """All objects whose key starts with `prefix`, by key, without reading one.

        Raises NotFound where the bucket itself is missing, AccessDenied, StorageError.
        """

    def delete(self, key: str) -> None:
        """Delete an object; one that isn't there is no error. Raises StorageError."""


BACKENDS = {
    "file": "indexer.blobstore.directory.Directory",
    "s3": "indexer.blobstore.s3.S3Bucket",
    "b2": "indexer.blobstore.s3.S3Bucket",
}
"""The class for each scheme of a URL; its class method `at(url, credentials)` makes a store."""

REMOTE = frozenset(BACKENDS) - {"file"}
"""The schemes of stores that are not directories of this machine."""


def open_blobstore(url: str, credentials: StoreCredentials | None = None) -> Blobstore:
    """The blobstore of a URL or directory. Raises ConfigurationError."""
    before, separator, _ = url.partition("://")
    scheme = before.lower() if separator else "file"
    if scheme not in BACKENDS:
        raise ConfigurationError(f"no blobstore for {before!r}: use a directory, file:// or s3://")
    module, _, name = BACKENDS[scheme].rpartition(".")
    # Imported here, so that no program loads the client of a store that it doesn't use.
    backend = getattr(import_module(module), name)
    store: Blobstore = backend.at(url, credentials or StoreCredentials())
    return store
