"""The rows of the results: what indexing reads back and writes, and no more.

Ids are lower-case hexadecimal: sha1 of a content's bytes, sha1_git of a directory. A row is equal
to another one if nothing would change by writing it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from indexer.software.rules.property import Translation
from indexer.software.syntax.tree import Tree


class ContentKey(NamedTuple):
    """A content's sha1, and the name and version of the mapping that has translated it."""

    sha1: str
    mapping: str
    version: int


@dataclass(frozen=True, slots=True)
class ContentRow:
    """A content's translation. One without properties is stored, too: it is not made again.

    `metadata`: the CodeMeta document of the one file; `translation`: its properties with their
    sources, and the diagnostics.
    """

    key: ContentKey
    metadata: Mapping[str, Tree]
    translation: Translation


class FoundManifest(NamedTuple):
    """A manifest of a directory: its path, its sha1_git and sha1, and its mapping.

    `sha1` is "" if the archive lacks the content, or if the content is too large; `why` tells it.
    """

    path: str
    sha1_git: str
    sha1: str
    mapping: str
    version: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class DirectoryRow:
    """The merged metadata of a root directory; never stored without metadata.

    `manifests`: its files, in the order in which they were merged. `conflicts`: what the merge has
    reported. `detection`: the version of the rules by which manifests are found and merged.
    """

    id: str
    metadata: Mapping[str, Tree]
    manifests: tuple[FoundManifest, ...]
    conflicts: tuple[Mapping[str, Tree], ...]
    detection: str

    @property
    def mappings(self) -> tuple[str, ...]:
        """The names of the mappings that were used, also of files without metadata; sorted."""
        return tuple(sorted({each.mapping for each in self.manifests}))


@dataclass(frozen=True, slots=True)
class OriginRow:
    """The intrinsic metadata of an origin: that of its head's root directory.

    `head`: the SWHID of the revision, the release or the directory; `branch`: its name; `reason`:
    the rule that chose it. A row without metadata is a tombstone: the origin had metadata before.
    """

    url: str
    metadata: Mapping[str, Tree]
    from_directory: str
    mappings: tuple[str, ...] = ()
    head: str = ""
    branch: str = ""
    reason: str = ""

    @property
    def is_tombstone(self) -> bool:
        """Whether the origin has lost its metadata."""
        return not self.metadata


class ExtrinsicKey(NamedTuple):
    """An origin, the authority that has published metadata about it, and their format."""

    origin: str
    authority: str
    format: str


@dataclass(frozen=True, slots=True)
class ExtrinsicRow:
    """The newest metadata that one authority has published about an origin, in one format.

    `trusted`: whether it may be merged with other metadata of the origin; other rows only show who
    says what. `date`: when the archive fetched it, ISO 8601.
    """

    key: ExtrinsicKey
    metadata: Mapping[str, Tree]
    translation: Translation
    remd: str
    date: str
    mapping: str
    version: int
    trusted: bool


@dataclass(slots=True)
class Changes:
    """Rows to insert or to replace; each is new or differs from the stored one, no key is twice."""

    contents: list[ContentRow] = field(default_factory=list)
    directories: list[DirectoryRow] = field(default_factory=list)
    origins: list[OriginRow] = field(default_factory=list)
    extrinsic: list[ExtrinsicRow] = field(default_factory=list)

    @property
    def counts(self) -> dict[str, int]:
        """The number of rows of each table, by the names that spec 2.1 gives them."""
        return {
            "content_metadata:add": len(self.contents),
            "directory_intrinsic_metadata:add": len(self.directories),
            "origin_intrinsic_metadata:add": len(self.origins),
            "origin_extrinsic_metadata:add": len(self.extrinsic),
        }


class SoftwareRows(Protocol):
    """The stored rows. All methods raise StorageError. For one thread at a time."""

    def contents(self, keys: Collection[ContentKey]) -> Mapping[ContentKey, ContentRow]:
        """Return the rows of these keys that are stored."""

    def directories(self, ids: Collection[str]) -> Mapping[str, DirectoryRow]:
        """Return the rows of these directories that are stored."""

    def origins(self, urls: Collection[str]) -> Mapping[str, OriginRow]:
        """Return the rows of these origins that are stored, tombstones included."""

    def extrinsic(self, keys: Collection[ExtrinsicKey]) -> Mapping[ExtrinsicKey, ExtrinsicRow]:
        """Return the rows of these keys that are stored."""

    def write(self, changes: Changes) -> None:
        """Insert or replace all rows in one transaction: all of them, or none."""
