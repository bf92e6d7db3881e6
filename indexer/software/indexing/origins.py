"""Origins: head → root directory → row, for many origins of one archive at once."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from indexer.errors import InputError
from indexer.software.archives.heads import OriginHead, head_of
from indexer.software.archives.source_archive import SourceArchive
from indexer.software.formats.table import FORMATS
from indexer.software.indexing.directories import DirectoryIndexing
from indexer.software.indexing.metrics import OPERATIONS
from indexer.software.indexing.rows import Changes, DirectoryRow, OriginRow, SoftwareRows
from indexer.software.rules.manifest_format import ManifestFormat

TOGETHER = 200
"""The most origins of one transaction."""


class OriginStatus(StrEnum):
    """The result for one origin: the status of its message."""

    INDEXED = "indexed"
    UNCHANGED = "unchanged"
    REMOVED = "removed"
    NO_METADATA = "no-metadata"
    NO_HEAD = "no-head"
    UNKNOWN = "unknown-origin"
    FAILED = "bad-archive"


class IndexedOrigin(NamedTuple):
    """An origin and the result for it; `why` is the reason for the head, or for its lack."""

    url: str
    status: OriginStatus
    why: str = ""

    @property
    def is_changed(self) -> bool:
        """Whether its row was written."""
        return self.status in (OriginStatus.INDEXED, OriginStatus.REMOVED)


def index_origins(
    archive: SourceArchive,
    origins: Iterable[str],
    rows: SoftwareRows,
    formats: Sequence[ManifestFormat] = FORMATS,
) -> list[IndexedOrigin]:
    """Index origins: one result for each distinct origin, in the order of the first.

    Rows that differ from the stored ones are written, a slice of origins in one transaction.
    Raises StorageError: the slices before are stored.
    """
    urls = [*dict.fromkeys(origins)]
    slices = (urls[start : start + TOGETHER] for start in range(0, len(urls), TOGETHER))
    return [each for part in slices for each in _index(archive, part, rows, formats)]


def _index(
    archive: SourceArchive,
    urls: Sequence[str],
    rows: SoftwareRows,
    formats: Sequence[ManifestFormat],
) -> list[IndexedOrigin]:
    changes = Changes()
    heads = {url: _head(archive, url) for url in urls}
    directories = DirectoryIndexing(archive, rows, formats)
    roots = (head.directory for head in heads.values() if isinstance(head, OriginHead))
    found = directories.index(filter(None, roots), changes)
    stored = rows.origins(urls)
    results = [
        _result(url, head, found, directories.failures, stored.get(url), changes)
        for url, head in heads.items()
    ]
    if any(changes.counts.values()):
        rows.write(changes)
        for name, count in changes.counts.items():
            kind = name.removesuffix(":add")
            OPERATIONS.add(count, endpoint=f"{kind}_add", object_type=kind, operation="add")
    return results


def _head(archive: SourceArchive, url: str) -> OriginHead | InputError:
    try:
        return head_of(archive, url)
    except InputError as error:
        return error


def _result(
    url: str,
    head: OriginHead | InputError,
    found: Mapping[str, DirectoryRow],
    failures: Mapping[str, str],
    stored: OriginRow | None,
    changes: Changes,
) -> IndexedOrigin:
    """The result for an origin; its row, if it has changed, is added to `changes`."""
    if isinstance(head, InputError):
        return IndexedOrigin(url, OriginStatus.FAILED, str(head))
    if head.is_lost:
        is_known = bool(head.swhid)
        status = OriginStatus.FAILED if is_known else OriginStatus.UNKNOWN
        return IndexedOrigin(url, status, head.reason)
    if head.directory in failures:
        return IndexedOrigin(url, OriginStatus.FAILED, failures[head.directory])
    directory = found.get(head.directory)
    row = _row(url, head, directory)
    if row.is_tombstone and (stored is None or stored.is_tombstone):
        status = OriginStatus.NO_METADATA if directory else OriginStatus.NO_HEAD
    elif row == stored:
        status = OriginStatus.UNCHANGED
    else:
        changes.origins.append(row)
        status = OriginStatus.REMOVED if row.is_tombstone else OriginStatus.INDEXED
    return IndexedOrigin(url, status, head.reason)


def _row(url: str, head: OriginHead, directory: DirectoryRow | None) -> OriginRow:
    metadata = directory.metadata if directory else {}
    mappings = directory.mappings if directory else ()
    return OriginRow(url, metadata, head.directory, mappings, head.swhid, head.branch, head.reason)
