"""Stores the files of a dataset in an item (filesets.md 5.1).

lock of the item → existing? by name, size and hashes → all: success-existing
                                                     → other bytes: conflict-existing, kept
→ room on the disk → the missing files, each streamed once and verified → all stored
→ metadata, evidence, manifest, hashes

A bundle is one file: streamed once, its interior compared with the manifest, stored.
"""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from indexer.blobstore import Blobstore
from indexer.blobstore.moving import move_in
from indexer.errors import ArchiveError, FilesetError, StorageError
from indexer.filesets.bundles.limits import BundleLimits
from indexer.filesets.items.layout import BUNDLE
from indexer.filesets.statuses import SUCCESS, SUCCESS_EXISTING
from indexer.filesets.strategies.item_ingest import CONFLICT, ItemIngest
from indexer.filesets.strategies.strategy import (
    ArchiveJob,
    ArchiveStrategyResult,
    Watch,
    reporter,
)
from indexer.filesets.strategies.transfer import Transfer, check_room
from indexer.filesets.strategies.verifying import fill
from indexer.text.dates import utc_now


class ArchiveorgStrategy:
    """Stores files in items of a blobstore; `working` holds files until all are verified."""

    def __init__(
        self,
        store: Blobstore,
        transfer: Transfer,
        working: Path,
        now: Callable[[], datetime] = utc_now,
        bundles: BundleLimits | None = None,
    ) -> None:
        self._store = store
        self._transfer = transfer
        self._working = working
        self._now = now
        self._bundles = bundles or BundleLimits()

    def check_existing(self, job: ArchiveJob) -> ArchiveStrategyResult | None:
        """The result `success-existing` if the item is complete, and has all files; else None."""
        ingest = ItemIngest(job, self._store)
        try:
            if not (ingest.is_bundled() or ingest.is_complete()):
                return None
        except (ArchiveError, StorageError) as error:
            return ingest.failed(error)
        return ingest.succeeded(SUCCESS_EXISTING)

    def process(self, job: ArchiveJob, watch: Watch) -> ArchiveStrategyResult:
        """Store the files that the item lacks, and its documents."""
        ingest = ItemIngest(job, self._store)
        try:
            with ingest.begun(self._working, watch) as working:
                if job.strategy.is_bundled:
                    self._fill_bundled(ingest, working, watch)
                else:
                    self._fill(ingest, working, watch)
        except (ArchiveError, FilesetError, StorageError) as error:
            return ingest.failed(error)
        return ingest.succeeded(job.success)

    def _fill(self, ingest: ItemIngest, working: Path, watch: Watch) -> None:
        missing = ingest.missing()
        check_room(working, sum(file.size or 0 for file, _ in missing) - _size_of(working))
        for number, (file, name) in enumerate(missing, 1):
            watched = reporter(watch, file, number, len(missing))
            try:
                self._transfer.fetch(file, working / name, watched)
            except FilesetError as error:
                file.status = error.status
                raise FilesetError(error.status, f"{file.path}: {error.why}") from error
        ingest.begin()
        for file, name in missing:
            move_in(self._store, ingest.item.key(name), working / name, file.sha256 or "")
            file.status = SUCCESS
        ingest.write_documents(self._now())

    def _fill_bundled(self, ingest: ItemIngest, working: Path, watch: Watch) -> None:
        item, bundle, path = ingest.item, ingest.begin_bundle(), working / "bundle"
        stored = [name for name in item.entries if name.startswith(f"{item.name}{BUNDLE}.")]
        if stored:
            # An earlier process has stored the bundle, and not ended the item.
            bundle.name = stored[0]
            fill(bundle, *item.measured(bundle.name))
            with item.opened_bundle(bundle.name) as content:
                self._check(ingest, content, CONFLICT)
        else:
            check_room(working, sum(file.size or 0 for file in ingest.files) - _size_of(working))
            watched = reporter(watch, bundle, 1, 1)
            self._transfer.fetch(bundle, path, watched, self._bundles.bundle_max_size)
            try:
                with path.open("rb") as content:
                    suffix = self._check(ingest, content)
            except FilesetError:
                path.unlink()
                raise
            bundle.name = f"{item.name}{BUNDLE}{suffix}"
            ingest.begin()
            move_in(self._store, item.key(bundle.name), path, bundle.sha256 or "")
        ingest.write_documents(self._now())

    def _check(self, ingest: ItemIngest, content: BinaryIO, status: str = "") -> str:
        """Check the bundle, and return its suffix; `status` replaces that of a failure."""
        try:
            return ingest.check_bundle(content, self._bundles)
        except FilesetError as error:
            raise FilesetError(status or error.status, error.why) from error


def _size_of(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())
