"""The items of archive.org as a blobstore, whose keys are ITEM/NAME (filesets.md 5.1, 10.4).

archive.org lists a file when its own tasks have run: minutes, at times hours, after the upload.
"""

import io
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, BinaryIO, Final, cast
from urllib.parse import quote

from indexer.blobstore import BlobEntry, ObjectVersion, checked_key, ensure_expected
from indexer.errors import AccessDenied, FetchError, FilesetError, NotFound, StorageError
from indexer.files.hashes import FileHashes
from indexer.filesets.items.archiveorg_api import ArchiveorgAPI, metadata_headers
from indexer.filesets.platform_item import ItemMetadata
from indexer.filesets.platforms.answers import JSONValue, hash_of
from indexer.filesets.platforms.archiveorg import is_uploaded

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MARK: Final = "story-indexer"
"""The `scanner` of the items that this program makes: archive.org's search finds them by it."""

_IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{2,99}")
_TRIES = 5
_BUFFER = 1 << 18


class ArchiveorgStore:
    """Items of archive.org. An item must be described before its first file is stored."""

    def __init__(self, api: ArchiveorgAPI) -> None:
        self._api = api
        self._headers: dict[str, dict[str, str]] = {}
        self.url = f"{api.base}/download"

    def describe(self, item: str, metadata: ItemMetadata, size: int) -> None:
        """Set the metadata of an item to make, and the bytes of all its files.

        Raises AccessDenied without keys, StorageError for a name that no item can have.
        """
        _check(item)
        self._api.check_keys()
        described = metadata_headers({**metadata, "scanner": MARK})
        self._headers[item] = {"x-archive-size-hint": str(size), **described}

    def put(self, key: str, file: BinaryIO, sha256: str = "") -> str:
        """See `Blobstore.put`: archive.org compares the MD5. It keeps replaced files in history."""
        item = _check(checked_key(key).partition("/")[0])
        with _repeatable(file) as body:
            start, hashes = body.tell(), FileHashes(("md5", "sha256"))
            hashes.read(body)
            body.seek(start)
            digests = hashes.digests()
            ensure_expected(self._url(key), digests["sha256"], sha256)
            headers = {
                "Content-MD5": digests["md5"],
                "x-archive-auto-make-bucket": "1",
                "x-archive-queue-derive": "0",
                "x-archive-keep-old-version": "1",
            }
            self._api.send("PUT", key, headers | self._headers.get(item, {}), body)
        return self._url(key)

    def open(self, key: str, version: str = "") -> BinaryIO:
        """See `Blobstore.open`. A replaced version can't be opened."""
        if version and version != self.stat(key).id:
            raise NotFound(f"{self._url(key)}: that version was replaced")
        url = f"{self.url}/{quote(checked_key(key))}"
        return cast(BinaryIO, io.BufferedReader(_Download(self._api, url), _BUFFER))

    def stat(self, key: str) -> ObjectVersion:
        """See `Blobstore.stat`. The `id` is a hash of the content."""
        item, _, name = checked_key(key).partition("/")
        for file in self._files(item):
            if file["name"].text == name:
                entry = _entry(item, file)
                modified = datetime.fromtimestamp(file["mtime"].size or 0, UTC)
                return ObjectVersion(entry.version, modified, entry.size)
        raise NotFound(f"{self._url(key)}: archive.org lists no such file")

    def versions(self, key: str) -> Sequence[ObjectVersion]:
        """See `Blobstore.versions`: the current one."""
        return [self.stat(key)]

    def entries(self, prefix: str = "") -> Iterator[BlobEntry]:
        """See `Blobstore.entries`. Without an item: of all items that this program has made."""
        item, slash, _ = prefix.partition("/")
        for each in [item] if slash else self._found(item):
            listed = (_entry(each, file) for file in self._files(each))
            for entry in sorted(listed, key=lambda entry: entry.key.encode()):
                if entry.key.startswith(prefix):
                    yield entry

    def delete(self, key: str) -> None:
        """See `Blobstore.delete`. archive.org keeps deleted files in history."""
        try:
            self._api.send("DELETE", checked_key(key), {"x-archive-keep-old-version": "1"})
        except NotFound:
            return

    def _url(self, key: str) -> str:
        return f"{self.url}/{key}"

    def _files(self, item: str) -> list[JSONValue]:
        """The uploaded files of an item; none of an unknown one."""
        found = self._api.json(f"/metadata/{quote(item, safe='')}")
        if found["is_dark"].is_true:
            raise AccessDenied(f"{self._url(item)}: the item is dark")
        # The answer for an unknown item is {}.
        if found.value != {} and "files" not in found:
            why = found["error"].text or "the metadata has no files"
            raise StorageError(f"{self._url(item)}: {why[:300]}")
        try:
            return [file for file in found["files"].items if is_uploaded(file, item)]
        except FilesetError as error:
            raise StorageError(error.why) from error

    def _found(self, start: str) -> Iterator[str]:
        cursor = ""
        while True:
            page = self._api.json(
                f"/services/search/v1/scrape?q=scanner%3A{MARK}&fields=identifier&count=1000{cursor}"
            )
            yield from (
                name
                for each in page["items"].items
                if (name := each["identifier"].text) and name.startswith(start)
            )
            if not (after := page["cursor"].text):
                return
            cursor = f"&cursor={quote(after, safe='')}"


class _Download(io.RawIOBase):
    """A file of archive.org: all of its bytes, or a StorageError. A lost connection is replaced."""

    def __init__(self, api: ArchiveorgAPI, url: str) -> None:
        self._api = api
        self._url = url
        self._position = 0
        self._rest = memoryview(b"")
        self._connection, self._pieces = api.download(url)

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Read into the buffer; returns the number of bytes, 0 at the end."""
        self._rest = self._rest or memoryview(self._next())
        view = memoryview(buffer).cast("B")
        size = min(len(view), len(self._rest))
        view[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        self._position += size
        return size

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
        super().close()

    def _next(self) -> bytes:
        failure: FetchError | None = None
        for _ in range(_TRIES):
            try:
                return next(self._pieces, b"")
            except FetchError as error:
                failure = error
            self._connection.close()
            self._connection, self._pieces = self._api.download(self._url, self._position)
        raise StorageError(f"{self._url}: {failure}") from failure


def _check(item: str) -> str:
    """The name of an item, if archive.org accepts it (filesets.md 10.4). Raises StorageError."""
    if not _IDENTIFIER.fullmatch(item):
        raise StorageError(f"{item[:200]!r} is no name of an archive.org item")
    return item


def _entry(item: str, file: JSONValue) -> BlobEntry:
    found = {name: hash_of(file[name].text, name) for name in ("md5", "sha1")}
    hashes = {name: digits for each in found.values() for name, digits in each.items()}
    version = next(iter(hashes.values()), file["mtime"].text)
    return BlobEntry(f"{item}/{file['name'].text}", version, file["size"].size or 0, hashes)


@contextmanager
def _repeatable(file: BinaryIO) -> Iterator[BinaryIO]:
    """The file, or a copy of its rest if it can be read only once."""
    if file.seekable():
        yield file
        return
    with TemporaryFile() as copy:
        shutil.copyfileobj(file, copy)
        copy.seek(0)
        yield copy
