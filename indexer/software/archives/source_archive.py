"""The interface of archives, in the terms of SWHIDs: ids are lower-case hexadecimal sha1_git."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol

MAX_CONTENT = 5_000_000
"""The size of the largest content that is read; a larger one is no manifest."""

PAGE = 1000
"""The most entries of one page of a directory."""

_ID = re.compile(r"[0-9a-f]{40}")


class ObjectKind(StrEnum):
    """The kinds of objects, by their names in SWHIDs; an alias is the name of another branch."""

    CONTENT = "cnt"
    DIRECTORY = "dir"
    REVISION = "rev"
    RELEASE = "rel"
    SNAPSHOT = "snp"
    ALIAS = "alias"


class ObjectRef(NamedTuple):
    """An object: its kind, and its id; of an alias, the name of the other branch."""

    kind: ObjectKind
    id: str

    @property
    def swhid(self) -> str:
        """The SWHID, such as `swh:1:rev:…`."""
        return f"swh:1:{self.kind}:{self.id}"


@dataclass(frozen=True, slots=True)
class OriginVisit:
    """The latest full visit of an origin: its type, such as git or ftp, and the branches found.

    A branch that leads nowhere is None. Names are texts; bytes that are no UTF-8 are escaped.
    """

    type: str
    branches: Mapping[str, ObjectRef | None] = field(default_factory=dict)


class DirectoryEntry(NamedTuple):
    """An entry of a directory: its name, its type (file, dir, link or rev), and its id."""

    name: str
    type: str
    id: str


class ContentBytes(NamedTuple):
    """A content: its bytes, its size, its sha1. Above MAX_CONTENT, no bytes and no sha1."""

    data: bytes
    size: int
    sha1: str


class SourceArchive(Protocol):
    """Origins and their objects. For one thread at a time.

    All methods raise InputError for a damaged archive. None stands for what an archive lacks.
    """

    def visit(self, origin: str) -> OriginVisit | None:
        """Return the latest full visit that has a snapshot; None for an unknown origin, too."""

    def peel(self, ref: ObjectRef) -> ObjectRef | None:
        """Return what a revision (its directory) or a release (any object) leads to."""

    def pages(self, directory: str) -> Iterator[Sequence[DirectoryEntry]] | None:
        """Return the entries of a directory in pages, by name."""

    def content(self, id: str) -> ContentBytes | None:
        """Return a content by its sha1_git."""

    def close(self) -> None:
        """Release the archive's resources."""


def is_id(text: object) -> bool:
    """Whether a value is an id: 40 hexadecimal digits in lower case."""
    return isinstance(text, str) and _ID.fullmatch(text) is not None


def paged(entries: Sequence[DirectoryEntry]) -> Iterator[Sequence[DirectoryEntry]]:
    """Yield the pages of a list of entries."""
    for start in range(0, len(entries), PAGE):
        yield entries[start : start + PAGE]
