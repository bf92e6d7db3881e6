"""Captures the files of a dataset for the web: WARC records and their index (filesets.md 5.2).

captured before? → each file: request and answer as they go over the wire → a WARC file
→ size and hashes as announced? → CDXJ → both are stored in the item of the dataset, then documents
"""

import http.client
import json
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from indexer.blobstore import Blobstore, sha256_of
from indexer.blobstore.moving import move_in
from indexer.errors import ArchiveError, FetchError, FilesetError, StorageError
from indexer.files.hashes import FileHashes
from indexer.files.whole_files import sync_file
from indexer.filesets.bundles.limits import BundleLimits
from indexer.filesets.items.layout import CAPTURE, CAPTURE_INDEX
from indexer.filesets.landing.fetching import STATUS_OF_FAILURE
from indexer.filesets.manifest import HASHES, FilesetManifestFile
from indexer.filesets.statuses import SUCCESS, SUCCESS_EXISTING
from indexer.filesets.strategies.file_types import HEAD_BYTES, file_type
from indexer.filesets.strategies.item_ingest import ItemIngest
from indexer.filesets.strategies.strategy import (
    ArchiveJob,
    ArchiveStrategyResult,
    Watch,
    reporter,
)
from indexer.filesets.strategies.transfer import Transfer, check_room, refuse_challenge
from indexer.filesets.strategies.verifying import fill, mismatch
from indexer.http.connections.failures import FetchFailure
from indexer.http.fetching.recording import Record
from indexer.http.redaction import Secrets, redacted
from indexer.text.dates import utc_now
from indexer.warc.cdxj import index_of
from indexer.warc.exchanges import WireExchange, write_exchange
from indexer.warc.writer import Writer

WAITS: Final = (1.0, 5.0)
"""Seconds before a capture is tried again."""

_PASSING = (
    *(FetchFailure.READ_TIMEOUT, FetchFailure.CONNECT_TIMEOUT, FetchFailure.LOOK_UP_NOW),
    *(FetchFailure.CONNECTION, FetchFailure.BODY),
)
_ROOM = 1.2
"""Room for a file and its compressed record, in sizes of the file."""


class WebStrategy:
    """Stores captures in items of a blobstore; `working` holds them until all are verified."""

    def __init__(
        self,
        store: Blobstore,
        transfer: Transfer,
        working: Path,
        *,
        secrets: Sequence[str] = (),
        bundles: BundleLimits | None = None,
        now: Callable[[], datetime] = utc_now,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`secrets` are the credentials that requests may have: captures have none."""
        # No fields: JSON of a dataset may have an `access_token` of its own.
        self._secrets = Secrets(fields=(), values=secrets)
        self._bundles = bundles or BundleLimits()
        self._store = store
        self._transfer = transfer
        self._working = working
        self._now = now
        self._sleep = sleep

    def check_existing(self, job: ArchiveJob) -> ArchiveStrategyResult | None:
        """The result `success-existing` if the item has a capture of all files; else None."""
        ingest = ItemIngest(job, self._store)
        try:
            return self._result(ingest, job, SUCCESS_EXISTING) if ingest.is_captured() else None
        except (ArchiveError, FilesetError, StorageError) as error:
            return ingest.failed(error)

    def process(self, job: ArchiveJob, watch: Watch) -> ArchiveStrategyResult:
        """Capture all files, and store the capture and its documents."""
        ingest = ItemIngest(job, self._store)
        try:
            with ingest.begun(self._working, watch) as working:
                if job.strategy.is_bundled:
                    ingest.begin_bundle()
                copies = 1 if ingest.bundle else 0
                check_room(working, int((_ROOM + copies) * job.item.total_size))
                self._capture(ingest, working / "capture.warc.gz", watch)
            return self._result(ingest, job, job.success)
        except (ArchiveError, FilesetError, StorageError) as error:
            return ingest.failed(error)

    def _capture(self, ingest: ItemIngest, path: Path, watch: Watch) -> None:
        item, files = ingest.item, [ingest.bundle] if ingest.bundle else ingest.files
        copy = path.with_name("bundle") if ingest.bundle else None
        with path.open("wb") as warc:
            writer = Writer(warc, clock=self._now)
            writer.info(f"{item.name}{CAPTURE}", {"software": "story-indexer"})
            for number, file in enumerate(files, 1):
                watched = reporter(watch, file, number, len(files))
                capture = _Capture(self._transfer, self._record(writer), file, watched)
                if copy:
                    capture.keep(copy, self._bundles.bundle_max_size)
                self._take(file, capture)
            sync_file(warc)
        if copy:
            with copy.open("rb") as bundle:
                ingest.check_bundle(bundle, self._bundles)
        with path.open("rb") as captured:
            sha256 = sha256_of(captured)
            captured.seek(0)
            index = index_of(captured, f"{item.name}{CAPTURE}").dump()
        ingest.begin()
        move_in(self._store, item.key(CAPTURE), path, sha256)
        captures = {CAPTURE: sha256, CAPTURE_INDEX: item.write(CAPTURE_INDEX, index)}
        ingest.write_documents(self._now(), captures)

    def _take(self, file: FilesetManifestFile, capture: "_Capture") -> None:
        try:
            capture.take(self._sleep)
        except FilesetError as error:
            file.status = error.status
            raise FilesetError(error.status, f"{file.path}: {error.why}") from error
        file.terminal_dt = f"{self._now():%Y%m%d%H%M%S}"
        file.status = SUCCESS

    def _record(self, writer: Writer) -> Record:
        def record(exchange: WireExchange) -> None:
            # An exchange that was cut off is tried again.
            if exchange.truncation is None:
                with redacted(exchange, self._secrets) as clean:
                    write_exchange(writer, clean)

        return record

    def _result(self, ingest: ItemIngest, job: ArchiveJob, status: str) -> ArchiveStrategyResult:
        found = ingest.succeeded(status)
        if job.strategy.is_file:
            found.file_cdx = _cdx(ingest.item.read(CAPTURE_INDEX), ingest.files[0])
        if ingest.bundle:
            found.bundle_cdx = _cdx(ingest.item.read(CAPTURE_INDEX), ingest.bundle)
        return found


class _Capture:
    """The capture of one file."""

    def __init__(
        self,
        transfer: Transfer,
        record: Record,
        file: FilesetManifestFile,
        progress: Callable[[int, int | None], None],
    ) -> None:
        self._transfer = transfer
        self._record = record
        self._file = file
        self._progress = progress
        self._copy: Path | None = None
        self._max_bytes = file.size

    def keep(self, copy: Path, max_bytes: int) -> None:
        """Keep the body in a file, too, of at most so many bytes."""
        self._copy, self._max_bytes = copy, max_bytes

    def take(self, sleep: Callable[[float], None]) -> None:
        """Capture the file, and fill in what is unknown of it. Raises FilesetError."""
        for wait in (*WAITS, None):
            try:
                self._fetch()
                return
            except FetchError as error:
                if wait is None or error.failure not in _PASSING:
                    raise FilesetError(self._status(error), str(error)) from error
                sleep(wait)

    def _fetch(self) -> None:
        file, hashes, head = self._file, FileHashes(HASHES), b""
        request = self._transfer.request(
            file.platform_url or "",
            record=self._record,
            seen=lambda _, answer: refuse_challenge(file, answer),
            max_bytes=self._max_bytes,
        )
        kept = self._copy.open("wb") if self._copy else nullcontext()
        with self._transfer.client.stream(request) as stream, kept as copy:
            if stream.response.status != http.client.OK:
                raise FilesetError("terminal-bad-status", f"HTTP {stream.response.status}")
            for piece in stream.encoded():
                head = head or piece[:HEAD_BYTES]
                hashes.update(piece)
                if copy:
                    copy.write(piece)
                self._progress(hashes.size, file.size)
        if wrong := mismatch(file, hashes.size, hashes.digests()):
            raise FilesetError("mismatch", wrong.why)
        fill(file, hashes.size, hashes.digests())
        file.mimetype = file_type(head, file.path, file.mimetype or "")
        file.terminal_url = stream.response.url

    def _status(self, error: FetchError) -> str:
        if error.failure == FetchFailure.SIZE and self._file.size is not None:
            return "mismatch"
        return STATUS_OF_FAILURE.get(FetchFailure(error.failure), "no-capture")


def _cdx(index: bytes, file: FilesetManifestFile) -> dict[str, Any] | None:
    """The line of the index for a file, by the names of `cdx` in results."""
    for line in index.splitlines():
        surt, when, facts = line.decode().split(" ", 2)
        found = json.loads(facts)
        if found["url"] == file.terminal_url and found.get("status") == "200":
            return {
                "surt": surt,
                "datetime": when,
                "url": found["url"],
                "mimetype": found.get("mime"),
                "status_code": 200,
                "sha1b32": found["digest"].removeprefix("sha1:"),
                "sha1hex": file.sha1,
                "warc_csize": int(found["length"]),
                "warc_offset": int(found["offset"]),
                "warc_path": _path(found["filename"]),
            }
    return None


def _path(name: str) -> str:
    """The path of a capture in its store: programs want one with a slash (filesets.md 3.2)."""
    return f"{name.removesuffix(CAPTURE)}/{name}"
