"""The sources of an input's bytes: local files, buckets, the web, standard input."""

import hashlib
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import IO, BinaryIO, cast

from indexer.blobstore import BlobEntry
from indexer.blobstore.credentials import Fallback
from indexer.blobstore.directory import version_of
from indexer.errors import TooLarge

MAX_DOWNLOAD_BYTES = 4 << 30
IN_MEMORY_BYTES = 1 << 20
"""Larger downloads are kept in a temporary file."""

CHUNK = 1 << 16
HEAD = 1 << 16
"""The bytes of standard input that can be looked at before it is read."""

Fetch = Callable[[str], BinaryIO]
"""Opens a URL as a stream, within the limits of the fetcher. Raises FetchError."""


class Source:
    """The bytes of one input. Methods raise OSError, FetchError, StorageError."""

    tracked = True
    """Whether a second reading gives the same bytes, so that progress can be recorded."""

    def version(self) -> str:
        """A text that changes with the content."""
        raise NotImplementedError

    def open(self) -> BinaryIO:
        """The whole content."""
        raise NotImplementedError

    def begin(self) -> BinaryIO:
        """The content, of which only the beginning will be read."""
        return self.open()

    def close(self) -> None:
        """Release what `version` fetched, if it was not opened."""


class LocalFile(Source):
    """A file of this machine. A pipe is not tracked: it can be read once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.tracked = path.is_file()

    def version(self) -> str:
        """The size and the time of the file."""
        return version_of(self._path.stat())

    def open(self) -> BinaryIO:
        """See `Source`."""
        return self._path.open("rb")


class StoredObject(Source):
    """An object of a bucket, as it was listed."""

    def __init__(self, store: Fallback, entry: BlobEntry) -> None:
        self._store = store
        self._entry = entry

    def version(self) -> str:
        """The ETag."""
        return self._entry.version

    def open(self) -> BinaryIO:
        """See `Source`."""
        return self._store.open(self._entry.key)


class Download(Source):
    """A file on the web, downloaded whole before it is read.

    A producer that waits for full queues reads too slowly for most servers; and a download that
    breaks off must fail before anything of it is queued.
    """

    def __init__(self, url: str, fetch: Fetch) -> None:
        self._url = url
        self._fetch = fetch
        self._file: IO[bytes] | None = None
        self._digest = ""

    def version(self) -> str:
        """The digest of the content."""
        if not self._digest:
            self._file = self._download()
        return self._digest

    def open(self) -> BinaryIO:
        """The content, downloaded by `version`; each further call downloads it again."""
        file, self._file = self._file or self._download(), None
        return cast(BinaryIO, file)

    def begin(self) -> BinaryIO:
        """See `Source`: the stream itself."""
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
                    # Content-Length may be missing or wrong: the bytes are counted.
                    if file.tell() > MAX_DOWNLOAD_BYTES:
                        raise TooLarge(f"larger than {MAX_DOWNLOAD_BYTES} bytes")
            file.seek(0)
            on_failure.pop_all()
        self._digest = digest.hexdigest()
        return file


class StandardInput(Source):
    """Standard input, which can be read once; a look at its beginning consumes nothing."""

    tracked = False

    def __init__(self) -> None:
        raw = open(0, "rb", buffering=0, closefd=False)  # noqa: SIM115 - closed by the reader
        self._file = BufferedReader(raw, HEAD)

    def version(self) -> str:
        """None is known."""
        return ""

    def open(self) -> BinaryIO:
        """See `Source`."""
        return self._file

    def begin(self) -> BinaryIO:
        """See `Source`: the bytes that have arrived so far."""
        return BytesIO(self._file.peek(HEAD))
