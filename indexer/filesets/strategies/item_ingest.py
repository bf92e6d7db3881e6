"""The ingest of one dataset into an item: what the item has, its documents, the result."""

import copy
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from indexer.blobstore import Blobstore
from indexer.errors import AccessDenied, ArchiveError, FilesetError, StorageError
from indexer.files.locks import try_lock
from indexer.filesets.bundles.interior import suffix_of
from indexer.filesets.bundles.limits import BundleLimits
from indexer.filesets.items.item import Item
from indexer.filesets.items.layout import (
    CAPTURE,
    EVIDENCE,
    MANIFEST,
    METADATA,
    SUMS,
    ItemManifest,
    StoredFile,
    dumped_metadata,
    dumped_sums,
    stored_file,
)
from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.paths import stored_names
from indexer.filesets.platforms.items import longer_item_name
from indexer.filesets.statuses import SUCCESS
from indexer.filesets.strategies.bundled import check_bundle
from indexer.filesets.strategies.file_types import HEAD_BYTES, file_type
from indexer.filesets.strategies.strategy import (
    ArchiveJob,
    ArchiveStrategyResult,
    FileProgress,
    Watch,
    file_meta,
    file_terminal,
)
from indexer.filesets.strategies.verifying import fill, mismatch

CONFLICT = "conflict-existing"
UPLOAD_FAILED = "error-archiveorg-upload"
EXISTS = "exists"
MISMATCH = "mismatch-existing"
NOT_PROCESSED = "not-processed"

_LOCK_PAUSE = 0.5
_WAITING = FileProgress(0, 0, "another ingest of this item has to end first", 0, None)
_SHOWN = 10


class ItemIngest:
    """The ingest of one dataset into its item. `files` are copies of the platform's."""

    def __init__(self, job: ArchiveJob, store: Blobstore) -> None:
        self._job = job
        self._store = store
        self.files = [copy.copy(file) for file in job.item.files]
        self.bundle: StoredFile | None = None

    @cached_property
    def item(self) -> Item:
        """The item; if another dataset has its name, that with the longer name (filesets.md 4.2).

        Raises ArchiveError, FilesetError, StorageError.
        """
        dataset = self._job.item
        item = Item(self._store, self._job.item_name)
        stored = item.manifest.platform_id if item.manifest else None
        if stored and dataset.platform_id and stored.lower() != dataset.platform_id.lower():
            dataset.archiveorg_item_name = longer_item_name(dataset)
            item = Item(self._store, dataset.archiveorg_item_name)
        return item

    @cached_property
    def pairs(self) -> list[tuple[FilesetManifestFile, str]]:
        """Each file with its name in the item."""
        names = stored_names([file.path for file in self.files], self.item.name)
        return list(zip(self.files, names, strict=True))

    @contextmanager
    def begun(self, directory: Path, watch: Watch) -> Iterator[Path]:
        """The item's working directory, locked, if the item can be stored."""
        dataset = self._job.item
        self.item.prepare(dataset.archiveorg_item_meta or {}, dataset.total_size)
        working = directory / self.item.name
        working.mkdir(parents=True, exist_ok=True)
        with item_lock(working, watch):
            yield working

    def begin(self) -> None:
        """Write the metadata, before the first file: an item without it is not of this program."""
        if not self.item.has(METADATA):
            self.item.write(METADATA, dumped_metadata(self._job.item.archiveorg_item_meta))

    def is_complete(self) -> bool:
        """Whether the item has all files with the right bytes, and its documents.

        Items of other programs have no documents of ours, and nothing of theirs is read.
        """
        state = self._listed_state if self.item.is_foreign else self._state
        if self.item.is_foreign or self.item.is_sealed:
            for file, name in self.pairs:
                file.status = state(file, name)
        return all(file.status == EXISTS for file in self.files)

    def is_captured(self) -> bool:
        """Whether the item has a capture, which is of all files and has the right bytes.

        Raises FilesetError for a capture of other files or bytes: it is never replaced.
        """
        return self.item.has(CAPTURE) and self._is_known("capture")

    def is_bundled(self) -> bool:
        """Whether the item has a bundle of all files with the right bytes. Raises FilesetError."""
        bundle = self.item.manifest.bundle if self.item.manifest else None
        stored = self.item.listed(bundle.name) if bundle else None
        if bundle is None or stored is None or mismatch(bundle, *stored):
            return False
        return self._is_known("bundle")

    def _is_known(self, what: str) -> bool:
        """Whether the item is complete, and its manifest has all files with the right bytes."""
        manifest = self.item.manifest
        if manifest is None or not self.item.is_sealed:
            return False
        held = {file.path: file for file in manifest.archived}
        for file in self.files:
            known = held.get(file.path)
            if known is None or mismatch(file, known.size or 0, known.hashes):
                file.status = MISMATCH
                raise FilesetError(CONFLICT, f"the item has another {what} of {file.path}")
            _copy_facts(known, file)
            file.status = EXISTS
        self.bundle = manifest.bundle
        return True

    def begin_bundle(self) -> StoredFile:
        """The bundle of the platform, of which nothing but its URL is known."""
        self.bundle = StoredFile(path="bundle", platform_url=self._job.item.web_bundle_url)
        return self.bundle

    def check_bundle(self, content: BinaryIO, limits: BundleLimits) -> str:
        """Compare the bundle with the manifest. Returns its suffix. Raises FilesetError."""
        bundle = self.bundle or self.begin_bundle()
        check_bundle(self._job.item, self.files, bundle, content, limits)
        suffix = suffix_of(content)
        bundle.path = f"bundle{suffix}"
        content.seek(0)
        bundle.mimetype = file_type(content.read(HEAD_BYTES), bundle.path)
        for file in self.files:
            file.status = SUCCESS
        return suffix

    def missing(self) -> list[tuple[FilesetManifestFile, str]]:
        """The files that the item lacks; all others get their status, and what is known of them.

        Raises FilesetError if the item has other bytes in place of a file.
        """
        missing = []
        for file, name in self.pairs:
            file.status = self._state(file, name)
            if not file.status:
                missing.append((file, name))
        if others := [file.path for file in self.files if file.status == MISMATCH]:
            raise FilesetError(CONFLICT, f"the item has other bytes: {', '.join(others[:_SHOWN])}")
        return missing

    def write_documents(self, now: datetime, captures: Mapping[str, str] | None = None) -> None:
        """Write the documents of the item, the list of hashes last: it seals the item.

        `captures`: the SHA-256 of the documents that hold all files, by the documents' suffixes.
        """
        item, job = self.item, self._job
        if item.has(SUMS):
            self._store.delete(item.key(SUMS))
        job.evidence.seek(0)
        is_packed = captures or self.bundle
        files = [stored_file(file, "" if is_packed else name) for file, name in self.pairs]
        manifest = ItemManifest.of(job.item, item.name, f"{now:%Y-%m-%dT%H:%M:%SZ}", files)
        manifest.bundle = self.bundle
        documents = {
            METADATA: dumped_metadata(job.item.archiveorg_item_meta),
            EVIDENCE: job.evidence.read(),
            MANIFEST: manifest.dump(),
        }
        written = {name: item.write(name, data) for name, data in documents.items()}
        written |= captures or {}
        files += [self.bundle] if self.bundle else []
        sums = {file.name: file.sha256 or "" for file in files if file.name}
        sums |= {f"{item.name}{name}": sha256 for name, sha256 in written.items()}
        item.write(SUMS, dumped_sums(sums))

    def succeeded(self, status: str) -> ArchiveStrategyResult:
        """The result of an item that has all files."""
        strategy = self._job.strategy.stored(bundled=self.bundle is not None)
        found = ArchiveStrategyResult(strategy, status, self.files)
        if strategy.is_file:
            found.file_file_meta = file_meta(self.files[0])
            found.file_terminal = file_terminal(self.files[0])
        if self.bundle:
            found.bundle_file_meta = file_meta(self.bundle)
            found.bundle_terminal = file_terminal(self.bundle)
            found.bundle_archiveorg_path = self.bundle.name or None
        return found

    def failed(self, error: ArchiveError | FilesetError | StorageError) -> ArchiveStrategyResult:
        """The result of a failure; files that were not reached get a status."""
        for file in self.files:
            file.status = file.status or NOT_PROCESSED
        if isinstance(error, FilesetError):
            status, why = error.status, error.why
        else:
            is_denied = isinstance(error, AccessDenied)
            status, why = "error-authentication" if is_denied else UPLOAD_FAILED, str(error)
        return ArchiveStrategyResult(self._job.strategy, status, self.files, why)

    def _listed_state(self, file: FilesetManifestFile, name: str) -> str | None:
        """The status of a file by what the store tells; None if that does not suffice."""
        listed = self.item.listed(name)
        if not listed or not file.hashes.keys() & listed.hashes.keys():
            return None
        if mismatch(file, *listed):
            return MISMATCH
        fill(file, *listed)
        return EXISTS

    def _state(self, file: FilesetManifestFile, name: str) -> str | None:
        """The status of a file that the item has, which is filled in; None for a missing one."""
        listed = self.item.listed(name)
        if listed and mismatch(file, *listed):
            return MISMATCH
        content = self.item.content(name)
        if content is None:
            return None
        if mismatch(file, *content):
            return MISMATCH
        fill(file, *content)
        if known := self._known(name):
            _copy_facts(known, file)
        else:
            with self._store.open(self.item.key(name)) as stored:
                file.mimetype = file_type(stored.read(HEAD_BYTES), file.path, file.mimetype or "")
        return EXISTS

    def _known(self, name: str) -> StoredFile | None:
        return self.item.known.get(name)


def _copy_facts(known: StoredFile, file: FilesetManifestFile) -> None:
    """What is known of a stored file, and not told by its platform."""
    fill(file, known.size or 0, known.hashes)
    file.extra = {**(known.extra or {}), **(file.extra or {})} or None
    file.mimetype = known.mimetype
    file.terminal_url, file.terminal_dt = known.terminal_url, known.terminal_dt


@contextmanager
def item_lock(working: Path, watch: Watch) -> Iterator[None]:
    """Hold the lock of an item on this machine; its working directory is removed at the end.

    `watch` is called while another ingest holds the lock, which may be hours.
    """
    path = working.with_name(f"{working.name}.lock")
    while (lock := try_lock(path)) is None:
        watch(_WAITING)
        time.sleep(_LOCK_PAUSE)
    try:
        yield
        shutil.rmtree(working, ignore_errors=True)
    finally:
        lock.remove()
