"""Compares a capture of the web archive with the manifest: its bytes are streamed (spec 5.2).

row → replay → a page for browsers? → hashed as captured, and without its layer of gzip
    → one of both is as announced → size, hashes, type, URL and time are filled in
"""

from collections.abc import Iterator
from itertools import chain
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, Final, cast

from indexer.errors import FetchError, FilesetError, TooLarge
from indexer.files.hashes import FileHashes
from indexer.filesets.manifest import HASHES, FilesetManifestFile
from indexer.filesets.strategies.file_types import HEAD_BYTES, file_type
from indexer.filesets.strategies.transfer import WAF, Transfer, refuse_challenge
from indexer.filesets.strategies.verifying import fill, mismatch
from indexer.filesets.wayback.archive import BAD_STATUS
from indexer.filesets.wayback.replay import (
    OTHER_BYTES,
    WAYBACK_ERROR,
    Replay,
    captured_headers,
    check_replay,
)
from indexer.filesets.wayback.rows import CDXRow
from indexer.http.fetching import Response
from indexer.http.fetching.download import Progress
from indexer.http.fetching.encodings import decoded
from indexer.http.fetching.stream import Stream

MISMATCH: Final = "mismatch"
UNPACKED_BADLY: Final = "transfer-encoding-error"

_IN_MEMORY = 4_000_000
_GZIP = b"\x1f\x8b"
# Gzip makes bytes that it can't compress a little longer.
_SLACK = 1.01
_SLACK_BYTES = 1024


def verify_capture(
    replay: Replay,
    transfer: Transfer,
    row: CDXRow,
    file: FilesetManifestFile,
    progress: Progress,
    *,
    keep: bool = False,
) -> BinaryIO:
    """Read a capture of a file, and fill in what is unknown of the file.

    With `keep` the result has the bytes. Raises FilesetError for other bytes than announced, and
    for a capture that can't be read.
    """
    most = None if file.size is None else int(file.size * _SLACK) + _SLACK_BYTES
    request = transfer.request(replay.url(row), follow=lambda _: False, max_bytes=most)
    try:
        with transfer.client.stream(request) as stream:
            _check_head(row, file, stream.response)
            found = _Reading(stream, row, file, progress, keep=keep)
            found.to_end()
    except TooLarge as error:
        raise FilesetError(MISMATCH, f"{row.url}: {error}") from error
    except FetchError as error:
        raise FilesetError(WAYBACK_ERROR, f"{row.url}: {error}") from error
    copy = found.compare()
    file.terminal_url, file.terminal_dt = row.url, row.datetime
    return copy


def _check_head(row: CDXRow, file: FilesetManifestFile, head: Response) -> None:
    """Raise FilesetError for an answer that is no capture of a file."""
    check_replay(row, head)
    try:
        refuse_challenge(file, head)
        is_file = WAF not in captured_headers(head)
    except FetchError:
        is_file = False
    if not is_file:
        raise FilesetError(BAD_STATUS, f"{row.url}: a page for browsers instead of the file")


class _Form:
    """The hashes of a capture in one form, its first bytes, and a copy if it is wanted."""

    def __init__(self, *, keep: bool) -> None:
        self.hashes = FileHashes(HASHES)
        self.head = b""
        self.copy = cast(BinaryIO, SpooledTemporaryFile[bytes](_IN_MEMORY))
        self._keep = keep

    def add(self, piece: bytes) -> None:
        self.head = self.head or piece[:HEAD_BYTES]
        self.hashes.update(piece)
        if self._keep:
            self.copy.write(piece)


class _Reading:
    """The reading of a capture: as it was captured, and unpacked if it is packed."""

    def __init__(
        self,
        stream: Stream,
        row: CDXRow,
        file: FilesetManifestFile,
        progress: Progress,
        *,
        keep: bool,
    ) -> None:
        self._row = row
        self._file = file
        self._progress = progress
        self._captured, self._unpacked = _Form(keep=keep), _Form(keep=keep)
        self._encoding = stream.response.headers.get("content-encoding", "")
        self._pieces = self._received(stream.encoded())
        self._lost: FetchError | None = None
        self._broken = ""

    def to_end(self) -> None:
        """Read all. Raises FetchError if the bytes don't arrive."""
        first = next(self._pieces, b"")
        # A layer of which neither the answer nor the index tells.
        if not self._encoding and first.startswith(_GZIP) and "gzip" not in self._row.mimetype:
            self._encoding = "gzip"
        if self._encoding:
            self._unpack(chain((first,), self._pieces))
        for _ in self._pieces:
            pass
        if self._lost:
            raise self._lost

    def compare(self) -> BinaryIO:
        """Fill in the file, if one of the forms is as announced: its copy. Raises FilesetError."""
        file, row, captured = self._file, self._row, self._captured
        digests = captured.hashes.digests()
        wrong = mismatch(file, captured.hashes.size, digests)
        form = captured
        if self._encoding and not self._broken and (wrong or not file.hashes):
            form = self._unpacked
            wrong = mismatch(file, form.hashes.size, form.hashes.digests())
        if not wrong and (file.hashes or digests["sha1"] == row.sha1hex):
            fill(file, form.hashes.size, form.hashes.digests())
            file.mimetype = file_type(form.head, file.path, file.mimetype or "")
            return form.copy
        if digests["sha1"] != row.sha1hex:
            raise FilesetError(OTHER_BYTES, f"{row.url}: other bytes than in the index")
        if self._broken:
            raise FilesetError(UNPACKED_BADLY, f"{row.url}: {self._broken}")
        raise FilesetError(MISMATCH, f"{row.url}: {wrong.why if wrong else ''}")

    def _unpack(self, pieces: Iterator[bytes]) -> None:
        try:
            for piece in decoded(pieces, self._encoding, self._file.size):
                self._unpacked.add(piece)
        except FetchError as error:
            self._broken = str(error)

    def _received(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        try:
            for piece in pieces:
                self._captured.add(piece)
                self._progress(self._captured.hashes.size, self._file.size)
                yield piece
        except FetchError as error:
            self._lost = error
            raise
