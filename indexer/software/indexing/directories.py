"""Directories: the root directories of some heads → their rows, new ones and stored ones."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from indexer.errors import InputError
from indexer.software.archives.source_archive import SourceArchive
from indexer.software.indexing.contents import ContentReader
from indexer.software.indexing.manifests import ManifestFinder, detection
from indexer.software.indexing.metrics import DIRECTORIES
from indexer.software.indexing.rows import Changes, DirectoryRow, FoundManifest, SoftwareRows
from indexer.software.merging.manifest import StatedValue, TranslatedManifest
from indexer.software.merging.merge import merge
from indexer.software.merging.merged import Conflict, MergedMetadata, MergedValue
from indexer.software.rules.manifest_format import ManifestFormat
from indexer.software.syntax.tree import Tree

DESCRIBING = frozenset({"@context", "type", "@type", "id", "@id"})
"""Terms that say nothing about the software: a document with no others is empty (spec 2.1)."""


class DirectoryIndexing:
    """Indexes root directories; `failures` has the reason for each that could not be read."""

    def __init__(
        self, archive: SourceArchive, rows: SoftwareRows, formats: Sequence[ManifestFormat]
    ) -> None:
        self.failures: dict[str, str] = {}
        self._archive = archive
        self._rows = rows
        self._formats = {form.name: form for form in formats}
        self._finder = ManifestFinder(formats)
        self._detection = detection(formats)

    def index(self, directories: Iterable[str], changes: Changes) -> Mapping[str, DirectoryRow]:
        """Return the rows of directories; those that are new, or changed, are added to `changes`.

        A stored row is used as it is while its formats have the same rules and versions. Raises
        StorageError; a damaged archive is a failure of one directory.
        """
        wanted = dict.fromkeys(directories)
        stored = self._rows.directories(wanted.keys())
        current = {id: row for id, row in stored.items() if self._is_current(row)}
        stale = [id for id in wanted if id not in current]
        made = self._made(stale, stored, changes) if stale else {}
        return {**current, **made}

    def _is_current(self, row: DirectoryRow) -> bool:
        return row.detection == self._detection and all(
            each.mapping in self._formats
            and each.version == self._formats[each.mapping].version
            # A content that was missing may have been archived since.
            and each.sha1
            for each in row.manifests
        )

    def _made(
        self, stale: Sequence[str], stored: Mapping[str, DirectoryRow], changes: Changes
    ) -> dict[str, DirectoryRow]:
        reader = ContentReader(self._rows)
        old = [each for id in stale if id in stored for each in stored[id].manifests]
        reader.look_up(self._renewed(each) for each in old if each.mapping in self._formats)
        sha1s = {each.sha1_git: each.sha1 for each in old}
        found = {id: each for id in stale if (each := self._read(id, reader, sha1s)) is not None}
        reader.finish()
        changes.contents += reader.made
        rows = {id: self._row(id, each, reader) for id, each in found.items()}
        changes.directories += [row for row in rows.values() if _is_change(row, stored.get(row.id))]
        return rows

    def _renewed(self, manifest: FoundManifest) -> FoundManifest:
        return manifest._replace(version=self._formats[manifest.mapping].version)

    def _read(
        self, id: str, reader: ContentReader, sha1s: Mapping[str, str]
    ) -> tuple[FoundManifest, ...] | None:
        try:
            found = self._finder.find(self._archive, id)
            if found is not None:
                return reader.read(self._archive, found, sha1s)
            self.failures[id] = f"the archive lacks swh:1:dir:{id}"
        except InputError as error:
            self.failures[id] = str(error)
        _count(is_found=False)
        return None

    def _row(
        self, id: str, manifests: tuple[FoundManifest, ...], reader: ContentReader
    ) -> DirectoryRow:
        merged = merge(
            TranslatedManifest(
                each.path, self._formats[each.mapping].rank, reader.translation(each)
            )
            for each in manifests
        )
        metadata = _metadata(merged)
        _count(is_found=True, has_metadata=bool(metadata))
        ordered = {each.path: number for number, each in enumerate(merged.manifests)}
        return DirectoryRow(
            id,
            metadata,
            tuple(sorted(manifests, key=lambda each: (ordered[each.path], each.mapping))),
            tuple(map(_conflict, merged.conflicts)),
            self._detection,
        )


def _metadata(merged: MergedMetadata) -> dict[str, Tree]:
    found = merged.document()
    return {} if found.keys() <= DESCRIBING else found


def _is_change(row: DirectoryRow, stored: DirectoryRow | None) -> bool:
    # Without metadata there is no row, unless there is one that has to be replaced.
    return row != stored and (bool(row.metadata) or stored is not None)


def _conflict(conflict: Conflict) -> dict[str, Tree]:
    return {
        "term": conflict.term,
        "kept": [_value(each) for each in conflict.kept],
        "others": [_value(each) for each in conflict.others],
    }


def _value(value: MergedValue) -> dict[str, Tree]:
    return {"value": value.value, "stated": [_source(each) for each in value.stated]}


def _source(stated: StatedValue) -> Tree:
    return f"{stated.path}#{stated.place}"


@cache
def _labels(*, is_found: bool, has_metadata: bool) -> dict[str, str]:
    return {
        "directory_found": str(is_found),
        "directory_truncated": "False",
        "metadata_found": str(has_metadata),
    }


def _count(*, is_found: bool, has_metadata: bool = False) -> None:
    DIRECTORIES.add(**_labels(is_found=is_found, has_metadata=has_metadata))
