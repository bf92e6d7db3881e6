"""An item in a blobstore: which files it has, and whether their bytes are right."""

from collections.abc import Iterator
from functools import cached_property
from io import BytesIO
from sys import maxsize
from typing import BinaryIO, NamedTuple, Protocol, runtime_checkable

from indexer.blobstore import BlobEntry, Blobstore, sha256_of
from indexer.errors import ArchiveError, FilesetError, NotFound
from indexer.files.hashes import FileHashes
from indexer.filesets.bundles.interior import interior
from indexer.filesets.bundles.limits import BundleLimits
from indexer.filesets.bundles.stored import captured, seekable
from indexer.filesets.items.layout import (
    CAPTURE,
    DOCUMENTS,
    MANIFEST,
    METADATA,
    SUMS,
    ItemManifest,
    StoredFile,
    loaded_sums,
)
from indexer.filesets.manifest import HASHES
from indexer.filesets.platform_item import ItemMetadata


@runtime_checkable
class DescribedStore(Protocol):
    """A store that wants the metadata of an item before its first file: archive.org."""

    def describe(self, item: str, metadata: ItemMetadata, size: int) -> None:
        """Set the metadata of an item, and the bytes of all its files. Raises AccessDenied."""


class StoredContent(NamedTuple):
    """The size and the hashes of stored bytes."""

    size: int
    hashes: dict[str, str]


class ItemDamage(NamedTuple):
    """A file that is not as it was stored: its name, and why."""

    name: str
    why: str


class Item:
    """The item `name` of a store. Methods raise StorageError."""

    def __init__(self, store: Blobstore, name: str) -> None:
        self.name = name
        self._store = store
        self.url = f"{store.url}/{name}"

    def key(self, name: str) -> str:
        """The key of a file, or of a document by its suffix."""
        return f"{self.name}/{self.name if name in DOCUMENTS else ''}{name}"

    @cached_property
    def entries(self) -> dict[str, BlobEntry]:
        """The stored objects by name, as they were at the first look."""
        start = f"{self.name}/"
        return {each.key.removeprefix(start): each for each in self._store.entries(start)}

    @cached_property
    def manifest(self) -> ItemManifest | None:
        """The manifest; None if there is none. Raises ArchiveError."""
        try:
            return ItemManifest.load(self.read(MANIFEST))
        except NotFound:
            return None

    @cached_property
    def known(self) -> dict[str, StoredFile]:
        """The files of the manifest by name; none without a manifest. Raises ArchiveError."""
        return {file.name: file for file in (self.manifest.files if self.manifest else ())}

    @property
    def is_foreign(self) -> bool:
        """Whether another program has stored the item, at a store that tells all hashes."""
        entries = self.entries.values()
        return bool(entries) and not self.has(METADATA) and all(each.hashes for each in entries)

    @property
    def is_sealed(self) -> bool:
        """Whether the item is complete: its manifest and, written last, its list of hashes."""
        return self.has(SUMS) and self.manifest is not None

    def has(self, document: str) -> bool:
        """Whether a document is stored."""
        return f"{self.name}{document}" in self.entries

    def prepare(self, metadata: ItemMetadata, size: int) -> None:
        """Check that the item can be stored, with files of `size` bytes. Raises AccessDenied."""
        if isinstance(self._store, DescribedStore):
            self._store.describe(self.name, metadata, size)

    def content(self, name: str) -> StoredContent | None:
        """The bytes stored under a name, by the manifest, or else read; None if there are none."""
        entry = self.entries.get(name)
        if entry is None:
            return None
        known = self.known.get(name)
        if known and known.size == entry.size and entry.hashes.items() <= known.hashes.items():
            return StoredContent(entry.size, known.hashes)
        return self.measured(name)

    def listed(self, name: str) -> StoredContent | None:
        """The bytes stored under a name, as the store tells of them; None if there are none."""
        entry = self.entries.get(name)
        return entry and StoredContent(entry.size, dict(entry.hashes))

    def measured(self, name: str) -> StoredContent:
        """Read what is stored under a name. Raises NotFound."""
        hashes = FileHashes(HASHES)
        with self._store.open(self.key(name)) as file:
            hashes.read(file)
        return StoredContent(hashes.size, hashes.digests())

    def opened(self, name: str) -> BinaryIO:
        """Open a file, or a document, as a stream. Raises NotFound."""
        return self._store.open(self.key(name))

    def read(self, document: str) -> bytes:
        """Read a document. Raises NotFound."""
        with self.opened(document) as file:
            return file.read()

    def write(self, document: str, data: bytes) -> str:
        """Store a document, and return its SHA-256."""
        sha256 = sha256_of(BytesIO(data))
        self._store.put(self.key(document), BytesIO(data), sha256)
        return sha256

    def verify(self) -> Iterator[ItemDamage | None]:
        """Read all files and documents: for each one its damage, or None. Raises ArchiveError."""
        if self.manifest is None:
            raise ArchiveError(f"{self.name}: no manifest, the item is not complete")
        files = [file for file in self.manifest.files if file.name]
        for file in files:
            yield _damage(file, file.name, self._found(file.name))
        yield from self._verify_documents({file.name for file in files})
        if self.manifest.bundle:
            yield from self._verify_interior(self.manifest.bundle, self.manifest)

    def opened_bundle(self, name: str) -> BinaryIO:
        """The bundle of a name, or if that is "", of the capture. Raises NotFound, FilesetError."""
        stored = seekable(self.opened(name or CAPTURE))
        if name:
            return stored
        with stored:
            return captured(stored)

    def _verify_interior(
        self, bundle: StoredFile, manifest: ItemManifest
    ) -> Iterator[ItemDamage | None]:
        """Read the bundle, and compare the files in it with the manifest."""
        left = {
            (file.extra or {}).get("bundle_path", file.path): file for file in manifest.archived
        }
        # The bundle was accepted by the limits of its ingest.
        most = (bundle.extra or {}).get("unpacked_size", manifest.size)
        limits = BundleLimits(
            bundle_max_size=most, bundle_max_files=maxsize, bundle_max_ratio=maxsize
        )
        try:
            with self.opened_bundle(bundle.name) as opened:
                for each in interior(opened, limits):
                    if file := left.pop(each.path, None):
                        yield _damage(file, each.path, StoredContent(each.size, each.hashes))
        except (FilesetError, NotFound) as error:
            why = error.why if isinstance(error, FilesetError) else "missing"
            yield ItemDamage(bundle.name or f"{self.name}{CAPTURE}", why)
        yield from (ItemDamage(path, "missing in the bundle") for path in left)

    def _verify_documents(self, verified: set[str]) -> Iterator[ItemDamage | None]:
        try:
            sums = loaded_sums(self.read(SUMS))
        except NotFound:
            yield ItemDamage(f"{self.name}{SUMS}", "missing")
            return
        for name in sorted(sums.keys() - verified):
            found = self._found(name)
            is_same = found is not None and found.hashes["sha256"] == sums[name]
            yield None if is_same else ItemDamage(name, "another sha256" if found else "missing")
        for name in sorted(verified - sums.keys()):
            yield ItemDamage(name, f"not in {self.name}{SUMS}")

    def _found(self, name: str) -> StoredContent | None:
        try:
            return self.measured(name)
        except NotFound:
            return None


def _damage(file: StoredFile, name: str, found: StoredContent | None) -> ItemDamage | None:
    """The difference of a file to the manifest, if there is one."""
    if found is None:
        return ItemDamage(name, "missing")
    if found.size != file.size:
        return ItemDamage(name, f"{found.size:,} bytes instead of {file.size or 0:,}")
    wrong = [each for each in file.hashes if found.hashes[each] != file.hashes[each]]
    return ItemDamage(name, f"another {', '.join(wrong)}") if wrong else None


def items(store: Blobstore) -> Iterator[Item]:
    """The complete items of a store, in the order of their names."""
    for entry in store.entries():
        name, _, document = entry.key.partition("/")
        if document == f"{name}{SUMS}":
            yield Item(store, name)
