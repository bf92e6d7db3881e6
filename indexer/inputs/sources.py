"""Where the bytes of an input come from."""

import hashlib
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import IO, BinaryIO, Protocol, cast

from indexer.blobstore import BlobEntry
from indexer.blobstore.directory import version_of
from indexer.blobstore.fallback import Fallback
from indexer.errors import TooLarge

MAX_DOWNLOAD_BYTES = 4 << 30
IN_MEMORY_BYTES = 1 << 20
"""Downloads up to this size need no temporary file."""

CHUNK = 1 << 16
HEAD = 1 << 16
"""How much of the standard input can be looked at before it is read."""

Fetch = Callable[[str], BinaryIO]
"""Opens a URL as a stream, within the limits of the fetcher. Raises FetchError."""


class Source(Protocol):
    """Where the bytes of one input come from. May raise OSError, FetchError, StorageError."""

    @property
    def tracked(self) -> bool:
        """Whether it is the same when it is read again."""

    def version(self) -> str:
        """What changes when the content does."""

    def open(self) -> BinaryIO:
        """All of it."""

    def begin(self) -> BinaryIO:
        """The same, where only the beginning will be read."""

    def close(self) -> None:
        """Let go of what `version` fetched and nobody opened."""


class LocalFile:
    """A file of this machine; also a pipe, which can be read once."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def tracked(self) -> bool:
        """Pipes are not."""
        return self._path.is_file()

    def version(self) -> str:
        """Its size and time."""
        return version_of(self._path.stat())

    def open(self) -> BinaryIO:
        """See `Source`."""
        return self._path.open("rb")

    begin = open

    def close(self) -> None:
        """Nothing is held."""


class StoredObject:
    """An object of a bucket, as it was listed."""

    tracked = True

    def __init__(self, store: Fallback, entry: BlobEntry) -> None:
        self._store = store
        self._entry = entry

    def version(self) -> str:
        """Its ETag."""
        return self._entry.version

    def open(self) -> BinaryIO:
        """See `Source`."""
        return self._store.open(self._entry.key)

    begin = open

    def close(self) -> None:
        """Nothing is held."""


class Download:
    """A file on the web. Fetched whole before it is read: a server has no patience with readers
    that wait for full queues, and what breaks off should do so before anything is queued."""

    tracked = True

    def __init__(self, url: str, fetch: Fetch) -> None:
        self._url = url
        self._fetch = fetch
        self._file: IO[bytes] | None = None
        self._digest = ""

    def version(self) -> str:
        """The digest of its content."""
        if not self._digest:
            self._file = self._download()
        return self._digest

    def open(self) -> BinaryIO:
        """What was downloaded, once; then it is downloaded again."""
        file, self._file = self._file or self._download(), None
        return cast(BinaryIO, file)

    def begin(self) -> BinaryIO:
        """The stream itself."""
        return self._fetch(self._url)

    def close(self) -> None:
        """See `Source`."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _download(self) -> IO[bytes]:
        digest = hashlib.sha256()
        with ExitStack() as on_failure:
            file = on_failure.enter_context(tempfile.SpooledTemporaryFile(IN_MEMORY_BYTES))
            with self._fetch(self._url) as stream:
                while chunk := stream.read(CHUNK):
                    file.write(chunk)
                    digest.update(chunk)
                    if file.tell() > MAX_DOWNLOAD_BYTES:
                        raise TooLarge(f"larger than {MAX_DOWNLOAD_BYTES} bytes")
            file.seek(0)
            on_failure.pop_all()
        self._digest = digest.hexdigest()
        return file


class StandardInput:
    """What comes through a pipe, once. Looking at its beginning takes nothing away."""

    tracked = False

    def __init__(self) -> None:
        raw = open(0, "rb", buffering=0, closefd=False)  # noqa: SIM115 - closed by the reader
        self._file = BufferedReader(raw, HEAD)

    def version(self) -> str:
        """Nobody knows."""
        return ""

    def open(self) -> BinaryIO:
        """See `Source`."""
        return self._file

    def begin(self) -> BinaryIO:
        """What has come so far."""
        return BytesIO(self._file.peek(HEAD))

    def close(self) -> None:
        """Nothing is held."""
