"""Indexes origins: finds the head of each, its manifests, and stores their metadata as CodeMeta.

An origin is read from the archive that its message names. Only rows that differ from the stored
ones are written; a translation is made once for each content and version of its mapping. Origins
that have changed go on to the software-importer. Raw extrinsic metadata is stored, too.

statuses:
  indexed         the metadata of the origin is new, or has changed
  unchanged       nothing was written
  removed         the origin has lost its metadata: a tombstone was stored
  no-metadata     the root directory has no metadata, or the raw metadata states nothing
  no-head         no branch of the latest visit leads to a directory
  stored          raw metadata about the origin is stored
  older           discarded: newer raw metadata of the same authority is stored
  no-origin       discarded: raw metadata that is about no origin
  no-format       discarded: no mapping reads the format of the raw metadata
  unknown-origin  discarded: the archive has no full visit of the origin
  refused         discarded: the URL must not be cloned, with the reason
  oversized       discarded: the clone is above --max-clone-bytes
  clone-failed    retried later: the repository could not be cloned
  bad-archive     quarantined: the archive can't be read, or lacks objects
  bad-metadata    quarantined: raw metadata without one of its parts

example:
  story-indexer program origin-indexer --database-url postgresql://software@localhost/software
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from indexer.errors import (
    AddressRefused,
    BadURL,
    DecodeError,
    Discard,
    Disposition,
    FetchError,
    InputError,
    Quarantine,
    Retry,
    StorageError,
    TooLarge,
)
from indexer.messages.worker import BatchWorker, Done
from indexer.programs.app import ProgramOptions, run_batch_worker
from indexer.software.archives.archive_options import SourceArchiveOptions
from indexer.software.archives.opening import OpenArchives, is_remote
from indexer.software.formats.extrinsic import EXTRINSIC
from indexer.software.indexing.extrinsic import (
    ExtrinsicStatus,
    IndexedMetadata,
    RawMetadata,
    index_metadata,
)
from indexer.software.indexing.origins import IndexedOrigin, OriginStatus, index_origins
from indexer.software.messages import ChangedOrigin, OriginMessage
from indexer.software.store.indexed_rows import StoredRows
from indexer.software.store.options import SoftwareDatabaseOptions
from indexer.software.store.store import SoftwareStore
from indexer.system.loggers import get_logger
from indexer.system.options import group
from indexer.system.patience import Patience

OUTAGE_ATTEMPTS = 16
"""Attempts at a database that does not answer: about five minutes."""

MAX_ARCHIVES = 20
"""The most archives of a batch: each of them may take minutes."""

R = TypeVar("R")

Ending: TypeAlias = Done[ChangedOrigin] | Disposition

log = get_logger()


class OriginIndexerOptions(SoftwareDatabaseOptions, ProgramOptions):
    """Options of the indexer of origins."""

    archives: SourceArchiveOptions = group(SourceArchiveOptions)


@dataclass(slots=True)
class _Waiting:
    message: OriginMessage
    raw: RawMetadata | None
    is_again: bool


class OriginIndexer(BatchWorker[OriginMessage, ChangedOrigin]):
    """Indexes origins in batches, those of one archive together."""

    name = "origin-indexer"
    takes = OriginMessage
    size = 200
    seconds = 2.0

    def __init__(self, options: OriginIndexerOptions, patience: Patience | None = None) -> None:
        self._patience = patience or Patience(attempts=OUTAGE_ATTEMPTS)
        self._store = SoftwareStore.open(options.database)
        self._rows = StoredRows(self._store)
        self._archives = OpenArchives(options.archives)
        self._batch: list[_Waiting] = []

    @property
    def full(self) -> bool:
        """Whether the batch has a clone, or many archives: all of it must end in 30 minutes."""
        places = {each.message.archive for each in self._batch}
        return len(places) >= MAX_ARCHIVES or any(map(is_remote, places))

    def add(self, payload: OriginMessage) -> None:
        """Add an origin, or raw metadata. Raises Quarantine."""
        self._add(payload, is_again=False)

    def add_again(self, payload: OriginMessage) -> None:
        """Add a message that was delivered before: its rows may be written, and not sent on."""
        self._add(payload, is_again=True)

    def flush(self) -> Sequence[Ending]:
        """Index the batch. Raises StorageError: the messages are delivered again."""
        batch, self._batch = self._batch, []
        endings: dict[int, Ending] = {}
        for place, numbers in _by_archive(batch).items():
            part = [batch[number] for number in numbers]
            found = self._metadata(part) if not place else self._origins(place, part)
            endings.update(zip(numbers, found, strict=True))
        return [endings[number] for number in range(len(batch))]

    def close(self) -> None:
        """Close the archive that is open, and the database."""
        self._archives.close()
        self._store.close()

    def _add(self, payload: OriginMessage, *, is_again: bool) -> None:
        raw = None
        if payload.metadata is not None:
            try:
                raw = RawMetadata.of(payload.metadata)
            except DecodeError as error:
                raise Quarantine("bad-metadata", str(error)) from error
        self._batch.append(_Waiting(payload, raw, is_again))

    def _origins(self, place: str, part: Sequence[_Waiting]) -> Iterator[Ending]:
        urls = [each.message.url for each in part]
        try:
            with self._archives.opened(place) as archive:
                results = self._patiently(lambda: index_origins(archive, urls, self._rows))
        except (FetchError, InputError) as error:
            why = _disposition(error)
            return iter([why] * len(part))
        by_url = {each.url: each for each in results}
        return (_ending(by_url[each.message.url], is_again=each.is_again) for each in part)

    def _metadata(self, part: Sequence[_Waiting]) -> Iterator[Ending]:
        raw = [each.raw for each in part if each.raw]
        results = self._patiently(lambda: index_metadata(raw, self._rows, EXTRINSIC))
        again = [each.is_again for each in part]
        return (
            _metadata_ending(each, is_again=is_again)
            for each, is_again in zip(results, again, strict=True)
        )

    def _patiently(self, act: Callable[[], list[R]]) -> list[R]:
        return self._patience.retry(
            act,
            StorageError,
            warn=lambda error: log.warning("the database failed", why=str(error)),
        )


def _by_archive(batch: Sequence[_Waiting]) -> Mapping[str, list[int]]:
    """The numbers of the messages of each archive, in their order; those of metadata under ""."""
    found: dict[str, list[int]] = {}
    for number, each in enumerate(batch):
        found.setdefault(each.message.archive, []).append(number)
    return found


def _disposition(error: FetchError | InputError) -> Disposition:
    match error:
        case InputError():
            return Quarantine("bad-archive", str(error))
        case AddressRefused() | BadURL():
            return Discard("refused", str(error))
        case TooLarge():
            return Discard("oversized", str(error))
    return Retry("clone-failed", str(error), most=3)


def _ending(result: IndexedOrigin, *, is_again: bool) -> Ending:
    if result.status is OriginStatus.FAILED:
        return Quarantine(result.status, result.why)
    if result.status is OriginStatus.UNKNOWN:
        return Discard(result.status, result.why)
    # A process that died may have written the rows of a message, and not sent it on.
    outputs = [ChangedOrigin(result.url, result.status)] if result.is_changed or is_again else []
    return Done(outputs, result.status)


def _metadata_ending(result: IndexedMetadata, *, is_again: bool) -> Ending:
    status = result.status
    if status in (ExtrinsicStatus.NO_ORIGIN, ExtrinsicStatus.NO_FORMAT, ExtrinsicStatus.OLDER):
        return Discard(status, result.raw.id)
    changed = status is ExtrinsicStatus.STORED or is_again
    return Done([ChangedOrigin(result.origin, status)] if changed else [], status)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_batch_worker(OriginIndexer, OriginIndexerOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
