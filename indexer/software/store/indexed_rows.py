"""The rows that indexing reads and writes (`SoftwareRows`), in the tables of the store."""

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from indexer.database import utc_now
from indexer.software.formats.extrinsic import EXTRINSIC
from indexer.software.formats.table import FORMATS
from indexer.software.indexing.rows import (
    Changes,
    ContentKey,
    ContentRow,
    DirectoryRow,
    ExtrinsicKey,
    ExtrinsicRow,
    FoundManifest,
    OriginRow,
)
from indexer.software.rules.property import Diagnostic, Diagnostics, Property, Translation
from indexer.software.store.program_record import ProgramRecord, detector, translator
from indexer.software.store.rows import (
    ContentMetadataRow,
    DirectoryMetadataRow,
    ExtrinsicMetadataRow,
    MetadataRow,
    OriginMetadataRow,
)
from indexer.software.store.store import SoftwareStore

ORIGINS = detector("1")
"""The record of all rows of origins, which are copies of rows of directories."""


class StoredRows:
    """The rows of a store, for one thread at a time. Its methods raise StorageError."""

    def __init__(self, store: SoftwareStore, now: Callable[[], datetime] = utc_now) -> None:
        """`now` returns the time in UTC without a zone, for tombstones."""
        self._store = store
        self._now = now
        self._numbers: dict[tuple[str, str, str], int] = {}
        forms = (*FORMATS, *EXTRINSIC.values())
        self._classes = {form.name: form.class_name for form in forms}

    def contents(self, keys: Collection[ContentKey]) -> Mapping[ContentKey, ContentRow]:
        """Return the rows of these keys that are stored."""
        wanted = {(key.sha1, self._translator(key.mapping, key.version)): key for key in keys}
        found = self._store.get(ContentMetadataRow, {sha1 for sha1, _ in wanted})
        return {
            key: ContentRow(key, row.metadata or {}, _translation(row.translation))
            for row in found
            if (key := wanted.get((row.id, row.indexer_configuration_id)))
        }

    def directories(self, ids: Collection[str]) -> Mapping[str, DirectoryRow]:
        """Return the newest rows of these directories."""
        found = self._store.get(DirectoryMetadataRow, ids)
        records = self._store.records({row.indexer_configuration_id for row in found})
        # In the order of their records: the newest one comes last.
        return {
            row.id: DirectoryRow(
                row.id,
                row.metadata or {},
                tuple(FoundManifest(*each) for each in row.manifests),
                row.conflicts,
                records[row.indexer_configuration_id].tool_version,
            )
            for row in found
        }

    def origins(self, urls: Collection[str]) -> Mapping[str, OriginRow]:
        """Return the rows of these origins, tombstones included."""
        found = self._store.get(OriginMetadataRow, urls, self._number(ORIGINS))
        return {
            row.id: OriginRow(
                row.id,
                row.metadata or {},
                row.from_directory or "",
                row.mappings,
                row.head or "",
                row.head_branch or "",
                row.head_reason or "",
            )
            for row in found
        }

    def extrinsic(self, keys: Collection[ExtrinsicKey]) -> Mapping[ExtrinsicKey, ExtrinsicRow]:
        """Return the newest rows of these keys."""
        wanted = set(keys)
        found = self._store.get(ExtrinsicMetadataRow, {key.origin for key in wanted})
        records = self._store.records({row.indexer_configuration_id for row in found})
        return {
            key: ExtrinsicRow(
                key,
                row.metadata or {},
                _translation(row.translation),
                row.from_remd_id or "",
                row.date or "",
                row.mappings[0],
                int(records[row.indexer_configuration_id].tool_version),
                row.trusted,
            )
            for row in found
            if (key := ExtrinsicKey(row.id, row.authority, row.format)) in wanted
        }

    def write(self, changes: Changes) -> None:
        """Insert or replace all rows in one transaction: all of them, or none."""
        self._store.add(
            [
                *map(self._content, changes.contents),
                *map(self._directory, changes.directories),
                *self._origins(changes.origins),
                *map(self._extrinsic, changes.extrinsic),
            ]
        )

    def _content(self, row: ContentRow) -> MetadataRow:
        number = self._translator(row.key.mapping, row.key.version)
        return ContentMetadataRow(row.key.sha1, number, row.metadata, _written(row.translation))

    def _directory(self, row: DirectoryRow) -> MetadataRow:
        number = self._number(detector(row.detection))
        found = (row.mappings, tuple(map(list, row.manifests)), row.conflicts)
        return DirectoryMetadataRow(row.id, number, row.metadata, *found)

    def _origins(self, rows: Iterable[OriginRow]) -> Iterable[MetadataRow]:
        number, now = self._number(ORIGINS), self._now()
        for row in rows:
            ended = now if row.is_tombstone else None
            head = (row.from_directory, row.head, row.branch, row.reason, ended)
            yield OriginMetadataRow(row.url, number, row.metadata, row.mappings, *head)

    def _extrinsic(self, row: ExtrinsicRow) -> MetadataRow:
        return ExtrinsicMetadataRow(
            row.key.origin,
            self._translator(row.mapping, row.version),
            row.key.authority,
            row.key.format,
            row.metadata,
            (row.mapping,),
            row.remd,
            row.date,
            _written(row.translation),
            row.trusted,
        )

    def _translator(self, mapping: str, version: int) -> int:
        return self._number(translator(self._classes.get(mapping, mapping), version))

    def _number(self, record: ProgramRecord) -> int:
        key = (record.tool_name, record.tool_version, str(record.tool_configuration))
        if key not in self._numbers:
            self._numbers[key] = self._store.configuration(record)
        return self._numbers[key]


def _written(translation: Translation) -> Mapping[str, Any]:
    return {
        "format": translation.format,
        "properties": translation.properties,
        "diagnostics": translation.diagnostics.kept,
        "more": translation.diagnostics.more,
    }


def _translation(written: Mapping[str, Any] | None) -> Translation:
    if written is None:
        return Translation("")
    return Translation(
        written["format"],
        [Property(*each) for each in written["properties"]],
        Diagnostics([Diagnostic(*each) for each in written["diagnostics"]], written["more"]),
    )
