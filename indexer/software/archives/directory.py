"""A directory on disk as an archive: one origin, whose head is the directory as it is now.

Links are not followed; version control's own directories and special files are left out.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from indexer.errors import InputError
from indexer.software.archives import objects
from indexer.software.archives.file_tree import FileTree, only_visit
from indexer.software.archives.source_archive import (
    MAX_CONTENT,
    ContentBytes,
    DirectoryEntry,
    ObjectRef,
    OriginVisit,
)
from indexer.text.unpacking import input_errors

LEFT_OUT = frozenset({".git", ".hg", ".svn", ".bzr", "CVS"})

CHUNK = 1 << 20


class DirectoryArchive:
    """The files below a directory. All of them are hashed at the first visit."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._name = str(path)
        self._tree: FileTree | None = None
        self._root: ObjectRef | None = None

    def visit(self, origin: str) -> OriginVisit | None:  # noqa: ARG002 - a directory is one origin
        """See `SourceArchive`."""
        if self._root is None:
            self._tree = FileTree(self._name)
            with input_errors(self._name):
                self._add(self._tree, "")
            self._root = self._tree.finish()
        return only_visit("directory", self._root)

    def peel(self, ref: ObjectRef) -> ObjectRef | None:  # noqa: ARG002 - it has neither
        """See `SourceArchive`: a directory has no revisions and no releases."""
        return None

    def pages(self, directory: str) -> Iterator[Sequence[DirectoryEntry]] | None:
        """See `SourceArchive`."""
        return self._tree.pages(directory) if self._tree else None

    def content(self, id: str) -> ContentBytes | None:
        """See `SourceArchive`. A file that has changed since the visit is no longer there."""
        place = self._tree.place(id) if self._tree else None
        if place is None:
            return None
        with input_errors(self._name), _opened(self._path / os.fsdecode(place)) as file:
            data = file.read(MAX_CONTENT + 1)
            if len(data) > MAX_CONTENT:
                return ContentBytes(b"", os.fstat(file.fileno()).st_size, "")
        if objects.blob_id(data) != id:
            raise InputError(f"{self._name}: {os.fsdecode(place)} has changed meanwhile")
        return ContentBytes(data, len(data), objects.sha1(data))

    def close(self) -> None:
        """See `SourceArchive`."""

    def _add(self, tree: FileTree, above: str) -> None:
        with os.scandir(self._path / above) as found:
            entries = [each for each in found if each.name not in LEFT_OUT]
        for entry in entries:
            place = f"{above}/{entry.name}" if above else entry.name
            mode = entry.stat(follow_symlinks=False).st_mode
            if stat.S_ISDIR(mode):
                tree.add_directory(os.fsencode(place))
                self._add(tree, place)
                continue
            # A file that is removed meanwhile is not there.
            with suppress(FileNotFoundError):
                if found_file := _file(Path(entry.path), mode):
                    tree.add(os.fsencode(place), *found_file)


def _file(path: Path, mode: int) -> tuple[str, str] | None:
    """The mode and the id of a file or a link; None for a pipe, a socket or a device."""
    if stat.S_ISLNK(mode):
        return objects.LINK, objects.blob_id(os.fsencode(path.readlink()))
    if not stat.S_ISREG(mode):
        return None
    return (objects.EXECUTABLE if mode & stat.S_IXUSR else objects.FILE), _hashed(path)


def _opened(path: Path) -> BinaryIO:
    # A link or a pipe may have taken the file's place since it was listed.
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")


def _hashed(path: Path) -> str:
    with _opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        found = objects.blob_hash(size)
        while size > 0 and (chunk := file.read(min(CHUNK, size))):
            found.update(chunk)
            size -= len(chunk)
    return found.hexdigest()
