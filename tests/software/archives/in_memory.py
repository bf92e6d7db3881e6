"""An archive in memory, of objects that a test names."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from indexer.software.archives import objects
from indexer.software.archives.source_archive import (
    ContentBytes,
    DirectoryEntry,
    ObjectKind,
    ObjectRef,
    OriginVisit,
)


def number(text: str) -> str:
    """An id that is easy to read: the text, filled up."""
    return text.encode().hex().rjust(40, "0")


def ref(kind: str, name: str) -> ObjectRef:
    """An object of a kind such as rev; of an alias, the name itself."""
    found = ObjectKind(kind)
    return ObjectRef(found, name if found is ObjectKind.ALIAS else number(name))


@dataclass
class MemoryArchive:
    """Visits by origin, objects by id; `reads` has the ids of the contents that were read."""

    visits: dict[str, OriginVisit] = field(default_factory=dict)
    peeled: dict[ObjectRef, ObjectRef] = field(default_factory=dict)
    directories: dict[str, Sequence[DirectoryEntry]] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)
    reads: list[str] = field(default_factory=list)
    page: int = 100

    def visit(self, origin: str) -> OriginVisit | None:
        return self.visits.get(origin)

    def peel(self, ref: ObjectRef) -> ObjectRef | None:
        return self.peeled.get(ref)

    def pages(self, directory: str) -> Iterator[Sequence[DirectoryEntry]] | None:
        entries = self.directories.get(directory)
        if entries is None:
            return None
        starts = range(0, len(entries), self.page)
        return (entries[start : start + self.page] for start in starts)

    def content(self, id: str) -> ContentBytes | None:
        self.reads.append(id)
        data = self.contents.get(id)
        return None if data is None else ContentBytes(data, len(data), objects.sha1(data))

    def close(self) -> None:
        pass

    def add_directory(self, name: str, files: Mapping[str, bytes | ObjectRef]) -> ObjectRef:
        """Add a directory with these files and sub-directories."""
        entries = []
        for file, given in files.items():
            if isinstance(given, bytes):
                id = objects.blob_id(given)
                self.contents[id] = given
                entries.append(DirectoryEntry(file, "file", id))
            else:
                entries.append(DirectoryEntry(file, "dir", given.id))
        self.directories[number(name)] = entries
        return ref("dir", name)

    def add_origin(self, url: str, root: ObjectRef) -> None:
        """Add an origin, or change its head."""
        self.visits[url] = OriginVisit("git", {"HEAD": root})
