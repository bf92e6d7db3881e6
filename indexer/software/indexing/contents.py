"""Contents: manifests → translations; each (content, mapping, version) is translated once.

read, for each directory: contents whose translation is unknown → bytes, sha1
finish: stored translations are looked up, all at once → the others are made
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from indexer.software.archives.source_archive import MAX_CONTENT, SourceArchive
from indexer.software.indexing.manifests import ManifestCandidate
from indexer.software.indexing.metrics import CONTENTS, PER_MAPPING
from indexer.software.indexing.rows import ContentKey, ContentRow, FoundManifest, SoftwareRows
from indexer.software.rules.manifest_format import ManifestFormat
from indexer.software.rules.property import Translation
from indexer.software.translation.document import document
from indexer.software.translation.translator import translate

MAX_WAITING = 64_000_000
"""The most bytes of contents that wait in memory for the look-up of their translations."""


class _Unknown(NamedTuple):
    key: ContentKey
    data: bytes
    form: ManifestFormat


class ContentReader:
    """Reads the contents of a batch of directories. `made` has the rows of new translations."""

    def __init__(self, rows: SoftwareRows) -> None:
        self.made: list[ContentRow] = []
        self._rows = rows
        self._known: dict[ContentKey, Translation] = {}
        self._waiting: list[_Unknown] = []
        self._size = 0

    def look_up(self, manifests: Iterable[FoundManifest]) -> None:
        """Look up the translations of manifests as they are stored. Raises StorageError."""
        self._look_up({key_of(each) for each in manifests if each.sha1})

    def read(
        self, archive: SourceArchive, found: Iterable[ManifestCandidate], sha1s: Mapping[str, str]
    ) -> tuple[FoundManifest, ...]:
        """Return the manifests with the sha1 of their contents.

        `sha1s`: sha1 by sha1_git, as far as it is known; a content whose translation is known by
        it is not read. Raises InputError, StorageError.
        """
        return tuple(self._read(archive, each, sha1s.get(each.sha1_git, "")) for each in found)

    def finish(self) -> None:
        """Translate all contents that were read and have no translation. Raises StorageError."""
        self._look_up({each.key for each in self._waiting} - self._known.keys())
        for key, data, form in self._waiting:
            if key not in self._known:
                translation = translate(data, form)
                self._known[key] = translation
                self.made.append(ContentRow(key, document(translation.properties), translation))
                _count(self.made[-1], is_known=False)
        self._waiting.clear()
        self._size = 0

    def translation(self, manifest: FoundManifest) -> Translation:
        """Return the translation of a manifest that was read; a missing content states nothing."""
        found = self._known.get(key_of(manifest))
        if found is None:
            found = Translation(manifest.mapping)
            found.diagnostics.add("", manifest.why)
        return found

    def _read(self, archive: SourceArchive, found: ManifestCandidate, sha1: str) -> FoundManifest:
        form, why = found.form, ""
        if ContentKey(sha1, form.name, form.version) not in self._known:
            content = archive.content(found.sha1_git)
            CONTENTS.add(content_found=str(content is not None))
            sha1 = content.sha1 if content else ""
            if content is None:
                why = "the archive lacks this content"
            elif not sha1:
                why = f"{content.size:,} bytes: above the limit of {MAX_CONTENT:,}"
            else:
                self._wait(_Unknown(ContentKey(sha1, form.name, form.version), content.data, form))
        return FoundManifest(found.path, found.sha1_git, sha1, form.name, form.version, why)

    def _wait(self, unknown: _Unknown) -> None:
        self._waiting.append(unknown)
        self._size += len(unknown.data)
        if self._size > MAX_WAITING:
            self.finish()

    def _look_up(self, keys: Collection[ContentKey]) -> None:
        for key, row in (self._rows.contents(keys) if keys else {}).items():
            self._known[key] = row.translation
            _count(row, is_known=True)


def key_of(manifest: FoundManifest) -> ContentKey:
    """Return the key of a manifest's translation."""
    return ContentKey(manifest.sha1, manifest.mapping, manifest.version)


def _count(row: ContentRow, *, is_known: bool) -> None:
    PER_MAPPING.add(
        mapping=row.key.mapping,
        content_already_indexed=str(is_known),
        content_newly_indexed=str(not is_known),
        metadata_found=str(bool(row.metadata)),
    )
