"""The documents of an item, as they are written and read."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from indexer.errors import ArchiveError
from indexer.filesets.manifest import RESTRICTED, FilesetManifestFile
from indexer.filesets.platform_item import FilesetPlatformItem, ItemMetadata

FORMAT: Final = 1
MANIFEST: Final = "_fileset.json"
METADATA: Final = "_metadata.json"
EVIDENCE: Final = "_evidence.warc.gz"
SUMS: Final = "_sha256.txt"
CAPTURE: Final = "_capture.warc.gz"
CAPTURE_INDEX: Final = "_capture.cdxj"
BUNDLE: Final = "_bundle"
"""What the name of a bundle has behind the item's name, before `.zip` or another suffix."""

DOCUMENTS: Final = (MANIFEST, METADATA, EVIDENCE, SUMS, CAPTURE, CAPTURE_INDEX)
"""What the names of an item's own documents have behind the item's name."""


class StoredFile(FilesetManifestFile, kw_only=True, omit_defaults=True):
    """A file of an item. `name` is its key below the item.

    It is "" if a capture or a bundle holds the bytes, and for restricted files, which have none.
    """

    name: str = ""


class ItemManifest(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The manifest of an item: which dataset it is, and its files.

    `bundle` is the file that holds all others; its name is "" if it is in a capture.
    """

    format: int
    item: str
    stored: str
    platform_name: str
    platform_domain: str | None = None
    platform_id: str | None = None
    platform_version: str | None = None
    platform_concept_id: str | None = None
    platform_base_url: str | None = None
    bundle: StoredFile | None = None
    files: list[StoredFile] = []

    @classmethod
    def of(
        cls, item: FilesetPlatformItem, name: str, stored: str, files: list[StoredFile]
    ) -> "ItemManifest":
        """The manifest of a dataset; `stored` is the time, as ISO 8601."""
        facts = {key: getattr(item, key) for key in cls.__struct_fields__ if key.startswith("plat")}
        all_files = [*files, *(stored_file(file, "") for file in item.restricted)]
        return cls(format=FORMAT, item=name, stored=stored, files=all_files, **facts)

    @property
    def archived(self) -> list[StoredFile]:
        """The files whose bytes the item has: all but the restricted ones."""
        return [file for file in self.files if file.status != RESTRICTED]

    def dump(self) -> bytes:
        """The document: JSON in several lines."""
        return _document(msgspec.to_builtins(self))

    @classmethod
    def load(cls, data: bytes) -> "ItemManifest":
        """Read the document. Raises ArchiveError."""
        try:
            # Not msgspec's reader: paths of some platforms have lone surrogates.
            found = msgspec.convert(json.loads(data), cls)
        except (ValueError, RecursionError, msgspec.ValidationError) as error:
            raise ArchiveError(f"the manifest can't be read: {error}") from error
        if found.format > FORMAT:
            raise ArchiveError(f"the manifest has format {found.format}: upgrade this program")
        return found

    @property
    def size(self) -> int:
        """The bytes of all archived files."""
        return sum(file.size or 0 for file in self.archived)


def stored_file(file: FilesetManifestFile, name: str) -> StoredFile:
    """The file of a manifest with its name in the item."""
    return StoredFile(name=name, **msgspec.structs.asdict(file))


def dumped_metadata(metadata: ItemMetadata | None) -> bytes:
    """The document of an item's metadata."""
    return _document(metadata or {})


def dumped_sums(hashes: Mapping[str, str]) -> bytes:
    """The lines of `sha256sum`, which marks a name with a backslash, as no name here has one."""
    return "".join(f"{digits}  {name}\n" for name, digits in sorted(hashes.items())).encode()


def loaded_sums(data: bytes) -> dict[str, str]:
    """The SHA-256 of each name. Raises ArchiveError."""
    try:
        # Not `splitlines`: names may have line separators of Unicode.
        return dict(_sums(data.decode().removesuffix("\n").split("\n")))
    except (UnicodeDecodeError, ValueError) as error:
        raise ArchiveError(f"the list of hashes can't be read: {error}") from error


def _sums(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        digits, separator, name = line.partition("  ")
        if not separator or len(digits) != 64:
            raise ValueError(f"{line[:100]!r}")
        yield name, digits


def _document(values: Any) -> bytes:
    return json.dumps(values, indent=1).encode() + b"\n"
