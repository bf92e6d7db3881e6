"""A tree of files that is read from the outside, and its ids: of a directory or of a tarball."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from indexer.errors import InputError
from indexer.software.archives import objects
from indexer.software.archives.source_archive import (
    DirectoryEntry,
    ObjectKind,
    ObjectRef,
    OriginVisit,
    paged,
)

MAX_FILES = 1_000_000
"""The most files of one tree; each takes some hundred bytes of memory."""

MAX_DEPTH = 200
"""The most directories in each other."""


@dataclass(slots=True)
class _Node:
    files: dict[bytes, objects.TreeEntry] = field(default_factory=dict)
    directories: dict[bytes, "_Node"] = field(default_factory=dict)


class FileTree:
    """Files are added by their paths; then `root` has the id of all of them.

    Empty directories count, as in SWHIDs: git itself leaves them out.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._top = _Node()
        self._pages: dict[str, list[DirectoryEntry]] = {}
        self._places: dict[str, bytes] = {}
        self._count = 0

    def add_directory(self, path: bytes) -> None:
        """Add a directory. Raises InputError for a tree that is too large or too deep."""
        self._node(path.split(b"/"))

    def add(self, path: bytes, mode: str, id: str) -> None:
        """Add a file or a link; a later one of the same path replaces it. Raises InputError."""
        *above, name = path.split(b"/")
        node = self._node(above)
        node.directories.pop(name, None)
        node.files[name] = objects.TreeEntry(name, mode, id)
        self._places.setdefault(id, path)
        self._counted()

    def finish(self) -> ObjectRef:
        """Compute all ids. Returns the root directory."""
        return ObjectRef(ObjectKind.DIRECTORY, self._finish(self._top))

    def place(self, id: str) -> bytes | None:
        """Return the path of a file with this id."""
        return self._places.get(id)

    def pages(self, directory: str) -> Iterator[Sequence[DirectoryEntry]] | None:
        """Return the entries of a directory, see `SourceArchive`."""
        found = self._pages.get(directory)
        return None if found is None else paged(found)

    def _node(self, names: Sequence[bytes]) -> _Node:
        if len(names) > MAX_DEPTH:
            raise InputError(f"{self._name}: more than {MAX_DEPTH} directories in each other")
        node = self._top
        for name in names:
            if name not in node.directories:
                node.files.pop(name, None)
                node.directories[name] = _Node()
                self._counted()
            node = node.directories[name]
        return node

    def _counted(self) -> None:
        self._count += 1
        if self._count > MAX_FILES:
            raise InputError(f"{self._name}: more than {MAX_FILES:,} files")

    def _finish(self, node: _Node) -> str:
        directories = [
            objects.TreeEntry(name, objects.DIRECTORY, self._finish(each))
            for name, each in node.directories.items()
        ]
        entries = objects.sorted_tree([*node.files.values(), *directories])
        id = objects.tree_id(entries)
        self._pages[id] = [
            DirectoryEntry(each.name.decode("utf-8", "replace"), objects.TYPES[each.mode], each.id)
            for each in entries
        ]
        return id


def only_visit(type: str, root: ObjectRef) -> OriginVisit:
    """Return the visit of an origin that is one directory."""
    return OriginVisit(type, {"HEAD": root})
