"""Archives the files of a dataset in the web archive, by captures that are verified (spec 5.2).

each file: captured before? → replayed, hashed, compared → all are right: success-existing
         → no capture, or one of other bytes → Save Page Now → replayed, hashed, compared
"""

import copy
from collections.abc import Callable
from typing import Any, BinaryIO, Final

from indexer.errors import FilesetError
from indexer.filesets.bundles.entries import MISMATCH as BUNDLE_MISMATCH
from indexer.filesets.bundles.limits import BundleLimits
from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.statuses import SUCCESS, SUCCESS_EXISTING
from indexer.filesets.strategies.bundled import check_bundle
from indexer.filesets.strategies.choosing import TOO_MUCH_SPN
from indexer.filesets.strategies.item_ingest import EXISTS, NOT_PROCESSED
from indexer.filesets.strategies.replaying import MISMATCH, UNPACKED_BADLY, verify_capture
from indexer.filesets.strategies.strategy import (
    ArchiveJob,
    ArchiveStrategyResult,
    Watch,
    file_meta,
    file_terminal,
    reporter,
)
from indexer.filesets.strategies.transfer import Transfer
from indexer.filesets.wayback.archive import BAD_STATUS, NO_CAPTURE, Trail, WebArchive, saved_error
from indexer.filesets.wayback.replay import WAYBACK_ERROR
from indexer.filesets.wayback.rows import CDXRow
from indexer.filesets.wayback.save import BACK_OFF
from indexer.http.fetching.download import Progress

_REPLACED: Final = (NO_CAPTURE, BAD_STATUS, MISMATCH, UNPACKED_BADLY, BUNDLE_MISMATCH)
"""The problems of a capture that a new capture may not have."""

_PAUSES = (1, 2)
"""Before a replay that failed is tried again."""


class WaybackStrategy:
    """Finds and makes captures in a web archive, of at most `most` new files a dataset.

    Thread-safe: `process` goes on with what `check_existing` has found for the same job.
    """

    def __init__(
        self, archive: WebArchive, transfer: Transfer, most: int, bundles: BundleLimits
    ) -> None:
        self._archive = archive
        self._transfer = transfer
        self._most = most
        self._bundles = bundles

    def check_existing(self, job: ArchiveJob) -> ArchiveStrategyResult | None:
        """The result `success-existing` if each file has a capture of its bytes; else None."""
        job.checked = found = self._look(job)
        return found.succeeded(SUCCESS_EXISTING) if found.is_captured() else None

    def process(self, job: ArchiveJob, watch: Watch) -> ArchiveStrategyResult:
        """Verify the captures, and have the files captured that lack one."""
        checked, job.checked = job.checked, None
        found = checked if isinstance(checked, _DatasetCapture) else self._look(job)
        try:
            found.take(watch, self._most)
        except FilesetError as error:
            return found.failed(error)
        return found.succeeded(job.success)

    def _look(self, job: ArchiveJob) -> "_DatasetCapture":
        return _DatasetCapture(job, self._archive, self._transfer, self._bundles)


class _DatasetCapture:
    """The captures of a dataset: of its files, or of the bundle that has all files."""

    def __init__(
        self, job: ArchiveJob, archive: WebArchive, transfer: Transfer, bundles: BundleLimits
    ) -> None:
        self.job = job
        self._bundles = bundles
        self._interior = _copied(job) if job.strategy.is_bundled else []
        taken, check = _copied(job), None
        if job.strategy.is_bundled:
            taken = [FilesetManifestFile(path="bundle", platform_url=job.item.web_bundle_url)]
            check = self._check_bundle
        self._captures = [_FileCapture(archive, transfer, file, check) for file in taken]

    @property
    def _files(self) -> list[FilesetManifestFile]:
        return self._interior or [each.file for each in self._captures]

    def is_captured(self) -> bool:
        """Whether the archive has captures with the right bytes; it stops at the first without."""
        if any(each.error for each in self._captures):
            return False
        for each in self._captures:
            each.verify(_unwatched)
            if each.error:
                return False
            each.file.status = EXISTS
        return True

    def take(self, watch: Watch, most: int) -> None:
        """Have captures with the right bytes, of which `most` may be new. Raises FilesetError."""
        missing = sum(each.can_be_saved for each in self._captures)
        if missing > most:
            why = f"{missing} files have no capture, {most} may be captured"
            raise FilesetError(TOO_MUCH_SPN, why)
        for number, each in enumerate(self._captures, 1):
            each.take(reporter(watch, each.file, number, len(self._captures)))

    def succeeded(self, status: str) -> ArchiveStrategyResult:
        """The result of captures that are all verified."""
        first = self._captures[0]
        found = ArchiveStrategyResult(self.job.strategy, status, self._files)
        facts = (file_meta(first.file), file_terminal(first.file), *first.rows)
        if self.job.strategy.is_bundled:
            for file in self._files:
                file.status = first.file.status
            found.bundle_file_meta, found.bundle_terminal, *rows = facts
            found.bundle_cdx, found.bundle_revisit_cdx = rows
        elif self.job.strategy.is_file:
            found.file_file_meta, found.file_terminal, *rows = facts
            found.file_cdx, found.file_revisit_cdx = rows
        return found

    def failed(self, error: FilesetError) -> ArchiveStrategyResult:
        """The result of a failure; files that were not reached get a status."""
        for file in self._files:
            file.status = file.status or NOT_PROCESSED
        found = ArchiveStrategyResult(self.job.strategy, error.status, self._files, error.why)
        found.wait = error.wait
        return found

    def _check_bundle(self, bundle: FilesetManifestFile, content: BinaryIO) -> None:
        # Another capture of the bundle is compared with what the platform announced.
        self._interior = _copied(self.job)
        content.seek(0)
        check_bundle(self.job.item, self._interior, bundle, content, self._bundles)


class _FileCapture:
    """The capture of a file; `error` is why there is none with the right bytes so far."""

    def __init__(
        self,
        archive: WebArchive,
        transfer: Transfer,
        file: FilesetManifestFile,
        check: Callable[[FilesetManifestFile, BinaryIO], None] | None,
    ) -> None:
        """`check` raises FilesetError for bytes that are not the right ones."""
        self.file = file
        self._archive = archive
        self._transfer = transfer
        self._check = check
        self._url = file.platform_url or ""
        self.error: FilesetError | None = None
        self._use(archive.find(self._url, file.mimetype or ""))

    @property
    def can_be_saved(self) -> bool:
        """Whether a new capture is possible, and may be better."""
        return self._archive.can_save and self.error is not None and self.error.status in _REPLACED

    @property
    def rows(self) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
        """The capture in the index, and the revisit that led to it."""
        row, revisit = self._trail.row, self._trail.revisit
        return row.facts if row else None, revisit.facts if revisit else None

    def verify(self, progress: Progress) -> None:
        """Compare the captured bytes with the manifest, and fill in what is unknown."""
        row = self._trail.row
        if self.error or row is None:
            return
        for pause in (*_PAUSES, 0):
            self.error = self._difference(row, progress)
            if self.error is None or self.error.status != WAYBACK_ERROR or not pause:
                return
            self._archive.rest(pause)

    def take(self, progress: Progress) -> None:
        """Have a capture with the right bytes. Raises FilesetError."""
        if self.file.status == EXISTS:
            return
        self.verify(progress)
        if self.can_be_saved:
            self._save(progress)
        if self.error:
            self.file.status = self.error.status
            why = f"{self.file.path}: {self.error.why}"
            raise FilesetError(self.error.status, why, self.error.wait)
        self.file.status = SUCCESS

    def _save(self, progress: Progress) -> None:
        found = self.error

        def alive() -> None:
            progress(0, self.file.size)

        self._use(self._archive.save(self._url, self.file.mimetype or "", alive))
        self.verify(progress)
        if self.error:
            self.error = saved_error(self.error)
            if found and found.status != NO_CAPTURE and self.error.status != BACK_OFF:
                # What is wrong with the capture that exists says more.
                self.error = found

    def _difference(self, row: CDXRow, progress: Progress) -> FilesetError | None:
        # A bundle gets hashes by its first capture, with which no other one agrees.
        file, keep = copy.copy(self.file), self._check is not None
        try:
            with verify_capture(
                self._archive.replay, self._transfer, row, file, progress, keep=keep
            ) as content:
                if self._check:
                    self._check(file, content)
        except FilesetError as error:
            return error
        self.file = file
        return None

    def _use(self, trail: Trail) -> None:
        self._trail, self.error = trail, trail.error


def _copied(job: ArchiveJob) -> list[FilesetManifestFile]:
    return [copy.copy(file) for file in job.item.files]


def _unwatched(_done: int, _size: int | None) -> None:
    """Show no progress."""
