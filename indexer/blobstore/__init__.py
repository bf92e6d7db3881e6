"""Blobstores: stores of named objects, for archives and inputs. A URL chooses the backend.

data/archive, file:///data/archive       a directory
s3://bucket/prefix                       S3, or another server with its protocol (`endpoint`)
b2://bucket/prefix                       Backblaze B2, at the endpoint of its region

Nothing here knows what the objects contain.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from importlib import import_module
from types import MappingProxyType
from typing import BinaryIO, NamedTuple, Protocol

from pydantic import SecretStr

from indexer.errors import ConfigurationError, StorageError
from indexer.text.url_parameters import check_parameters

CHUNK_BYTES = 1 << 20

MAX_KEY_BYTES = 1024
"""S3's limit for a key."""


class StoreCredentials(NamedTuple):
    """How to reach an S3 server. A blank field is left to the AWS client's own configuration.

    `endpoint` is the URL of a server (MinIO, Backblaze B2, versitygw); blank means Amazon's.
    """

    access_key_id: str = ""
    secret_access_key: SecretStr = SecretStr("")
    region: str = ""
    endpoint: str = ""


class BlobEntry(NamedTuple):
    """One object of a listing. A new content has a new `version`. `size` is in bytes.

    `hashes` are those that the store tells, in lower-case hex; most stores tell none.
    """

    key: str
    version: str
    size: int
    hashes: Mapping[str, str] = MappingProxyType({})


class ObjectVersion(NamedTuple):
    """One version of an object: when it was stored (UTC), and its size in bytes.

    `open` takes its `id`, which is blank if the store keeps no versions. `sha256` is the digest
    that `put` was given; blank if there was none, the store keeps none, or in a list of versions.
    """

    id: str
    modified: datetime
    size: int
    sha256: str = ""


class Blobstore(Protocol):
    """Named objects. Keys are relative paths of parts with `/` between; `..` is refused."""

    url: str
    """The store's address, for people and logs; it contains no credentials."""

    def put(self, key: str, file: BinaryIO, sha256: str = "") -> str:
        """Store the rest of a file as one object, whole or not at all; return the object's URL.

        The stored content is read back and compared. `sha256` is the hex digest of the content, if
        known: other content is refused. Raises StorageError, AccessDenied.
        """

    def open(self, key: str, version: str = "") -> BinaryIO:
        """Open an object, or one of its versions, for reading as a stream.

        Raises NotFound, AccessDenied, StorageError.
        """

    def stat(self, key: str) -> ObjectVersion:
        """The current version of an object, without reading its content. Raises like `open`."""

    def versions(self, key: str) -> Sequence[ObjectVersion]:
        """The versions of an object, the newest first; at least one.

        The versions of a deleted object stay readable if the store keeps versions. Raises like
        `open`.
        """

    def entries(self, prefix: str = "") -> Iterator[BlobEntry]:
        """The objects whose keys start with `prefix`, in the byte order of their keys.

        No object is read. Raises NotFound if the bucket is missing, AccessDenied, StorageError.
        """

    def delete(self, key: str) -> None:
        """Delete an object; a missing object is no error. Raises StorageError."""


BACKENDS = {
    "file": "indexer.blobstore.directory.Directory",
    "s3": "indexer.blobstore.s3.S3Bucket",
    "b2": "indexer.blobstore.s3.S3Bucket",
}
"""The class of each URL scheme; its class method `at(url, credentials)` returns a store."""

REMOTE = frozenset(BACKENDS) - {"file"}
"""The schemes of stores that are not directories of this machine."""


SERVERS = (
    "Variables name a server and its credentials: ARCHIVER_S3_ENDPOINT, ARCHIVER_S3_ACCESS_KEY_ID "
    "and ARCHIVER_S3_SECRET_ACCESS_KEY for archives, QUEUER_S3_… for inputs."
)


def open_blobstore(url: str, credentials: StoreCredentials | None = None) -> Blobstore:
    """The blobstore of a URL or directory. Raises ConfigurationError."""
    before, separator, _ = url.partition("://")
    scheme = before.lower() if separator else "file"
    if scheme not in BACKENDS:
        raise ConfigurationError(f"no blobstore for {before!r}: use a directory, file:// or s3://")
    check_store_url(url)
    module, _, name = BACKENDS[scheme].rpartition(".")
    # Imported here, so that no program loads the client of a store that it doesn't use.
    backend = getattr(import_module(module), name)
    store: Blobstore = backend.at(url, credentials or StoreCredentials())
    return store


def check_store_url(url: str) -> None:
    """Raise ConfigurationError if the URL of a store, or of an object in it, has parameters.

    A path may contain a `?`; a file:// URL has %3F in its place.
    """
    scheme = url.partition("://")[0].lower() if "://" in url else ""
    if scheme in REMOTE:
        check_parameters(f"the {scheme}:// URL", url, advice=SERVERS)
    elif scheme == "file":
        check_parameters("the file:// URL", url, advice="A ? in a path is written %3F.")


def checked_key(key: str) -> str:
    """The key, if every backend can store it safely. Raises StorageError."""
    if problem := _problem(key):
        raise StorageError(f"not a key: {key[:200]!r}: {problem}")
    return key


def _problem(key: str) -> str:
    if not key:
        return "it is empty"
    if key.startswith("/"):
        return "it is absolute"
    if any(part in ("", ".", "..") for part in key.split("/")):
        return "a part of it is empty, '.' or '..'"
    if any(char < " " or char == "\x7f" for char in key):
        return "it has control characters"
    try:
        size = len(key.encode())
    except UnicodeEncodeError:
        return "it is not Unicode text"
    return f"it is longer than {MAX_KEY_BYTES} bytes" if size > MAX_KEY_BYTES else ""


def sha256_of(file: BinaryIO) -> str:
    """The sha256 of the rest of a stream, as hex: to compare a file with a stored object."""
    digest = hashlib.sha256()
    while chunk := file.read(CHUNK_BYTES):
        digest.update(chunk)
    return digest.hexdigest()


def ensure_expected(name: str, read: str, expected: str) -> None:
    """Raise StorageError if the digest of the content read isn't the one that `put` was given."""
    if expected and read != expected:
        raise StorageError(f"{name}: the content to store has another sha256 than expected")


def ensure_same(name: str, sent: str, stored: str) -> None:
    """Raise StorageError if a stored object has another digest than the content sent."""
    if sent != stored:
        raise StorageError(f"{name}: the stored object differs from the content sent")
