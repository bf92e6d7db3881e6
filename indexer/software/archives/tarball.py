"""A packed directory (tar.gz, tar.bz2, tar.xz, tar.zst, tar, zip) as an archive: one origin.

The file is read once, to hash it. Contents that may be manifests are kept then; another content is
looked for in a second reading.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from indexer.software.archives import objects
from indexer.software.archives.file_tree import FileTree, only_visit
from indexer.software.archives.members import PackedMember, members
from indexer.software.archives.source_archive import (
    MAX_CONTENT,
    ContentBytes,
    DirectoryEntry,
    ObjectRef,
    OriginVisit,
)
from indexer.software.formats.table import formats_of

MAX_KEPT = 50_000_000
"""The most bytes of contents that are kept in memory."""

CHUNK = 1 << 20


class TarballArchive:
    """The files of a packed directory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tree: FileTree | None = None
        self._root: ObjectRef | None = None
        self._kept: dict[str, bytes] = {}
        self._room = MAX_KEPT

    def visit(self, origin: str) -> OriginVisit | None:  # noqa: ARG002 - a tarball is one origin
        """See `SourceArchive`."""
        if self._root is None:
            tree = FileTree(str(self._path))
            self._read(tree)
            self._tree, self._root = tree, tree.finish()
        return only_visit("tarball", self._root)

    def peel(self, ref: ObjectRef) -> ObjectRef | None:  # noqa: ARG002 - it has neither
        """See `SourceArchive`: a tarball has no revisions and no releases."""
        return None

    def pages(self, directory: str) -> Iterator[Sequence[DirectoryEntry]] | None:
        """See `SourceArchive`."""
        return self._tree.pages(directory) if self._tree else None

    def content(self, id: str) -> ContentBytes | None:
        """See `SourceArchive`."""
        place = self._tree.place(id) if self._tree else None
        if place is None:
            return None
        data = self._kept.get(id)
        if data is None:
            data = self._again(place)
        if len(data) > MAX_CONTENT:
            return ContentBytes(b"", len(data), "")
        return ContentBytes(data, len(data), objects.sha1(data))

    def close(self) -> None:
        """See `SourceArchive`."""

    def _read(self, tree: FileTree) -> None:
        ids: dict[bytes, tuple[str, str]] = {}
        for member in members(self._path):
            if member.mode == objects.DIRECTORY:
                tree.add_directory(member.path)
            elif member.target:
                # A hard link to a member that comes later, or not at all, is left out.
                if member.target in ids:
                    tree.add(member.path, *ids[member.target])
            elif member.path:
                id = self._hashed(member)
                ids[member.path] = (member.mode, id)
                tree.add(member.path, member.mode, id)

    def _hashed(self, member: PackedMember) -> str:
        if member.file is None:
            return objects.blob_id(member.link)
        path = member.path.decode("utf-8", "replace")
        if member.size <= min(MAX_CONTENT, self._room) and any(formats_of(path)):
            data = member.file.read()
            id = objects.blob_id(data)
            self._room -= len(data)
            self._kept[id] = data
            return id
        return _id_of(member.file, member.size)

    def _again(self, place: bytes) -> bytes:
        for member in members(self._path):
            if member.path == place:
                return member.link if member.file is None else member.file.read(MAX_CONTENT + 1)
        return b""


def _id_of(file: IO[bytes], size: int) -> str:
    found = objects.blob_hash(size)
    while chunk := file.read(CHUNK):
        found.update(chunk)
    return found.hexdigest()
