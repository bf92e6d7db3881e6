"""A blobstore in memory: an example of a backend in one file, used by the conformance tests."""

import hashlib
import io
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import BinaryIO, ClassVar, Self

from indexer.blobstore import (
    BlobEntry,
    ObjectVersion,
    StoreCredentials,
    checked_key,
    ensure_expected,
)
from indexer.errors import NotFound, StorageError


class Memory:
    """Objects of a `memory://NAME/PREFIX` URL; all stores of one URL share them."""

    _objects: ClassVar[dict[str, tuple[datetime, bytes, str]]] = {}

    def __init__(self, url: str) -> None:
        self.url = url

    @classmethod
    def at(cls, url: str, _credentials: StoreCredentials) -> Self:
        """The store of a URL."""
        return cls(url.rstrip("/"))

    def put(self, key: str, file: BinaryIO, sha256: str = "") -> str:
        """See `Blobstore.put`."""
        url = self._url(key)
        try:
            data = b"".join(iter(lambda: file.read(4096), b""))
        except OSError as error:
            raise StorageError(f"{url}: {error.strerror}") from error
        ensure_expected(url, _version(data), sha256)
        self._objects[url] = (datetime.now(UTC), data, sha256)
        return url

    def open(self, key: str, version: str = "") -> BinaryIO:
        """See `Blobstore.open`."""
        if version and version != self.stat(key).id:
            raise NotFound(f"{key}: that version was replaced")
        return io.BytesIO(self._found(key)[1])

    def stat(self, key: str) -> ObjectVersion:
        """See `Blobstore.stat`."""
        stored, data, digest = self._found(key)
        return ObjectVersion(_version(data), stored, len(data), digest)

    def versions(self, key: str) -> Sequence[ObjectVersion]:
        """See `Blobstore.versions`."""
        return [self.stat(key)]

    def entries(self, prefix: str = "") -> Iterator[BlobEntry]:
        """See `Blobstore.entries`."""
        for url in sorted(self._objects, key=str.encode):
            if url.startswith(f"{self.url}/{prefix}"):
                data = self._objects[url][1]
                yield BlobEntry(url[len(self.url) + 1 :], _version(data), len(data))

    def delete(self, key: str) -> None:
        """See `Blobstore.delete`."""
        self._objects.pop(self._url(key), None)

    def _url(self, key: str) -> str:
        return f"{self.url}/{checked_key(key)}"

    def _found(self, key: str) -> tuple[datetime, bytes, str]:
        try:
            return self._objects[self._url(key)]
        except KeyError:
            raise NotFound(f"{self.url}/{key}: no such object") from None


def _version(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
