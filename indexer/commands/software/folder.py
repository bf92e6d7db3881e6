"""A directory on disk as an archive that hashes nothing: the ids of its objects are their paths."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from indexer.software.archives.source_archive import (
    MAX_CONTENT,
    ContentBytes,
    DirectoryEntry,
    ObjectKind,
    ObjectRef,
    OriginVisit,
)


class FolderOnDisk:
    """The files of a directory, for a command that reads few of them. Links are not followed."""

    def __init__(self, path: Path) -> None:
        self._root = path

    def visit(self, origin: str) -> OriginVisit:  # noqa: ARG002 - a directory is one origin
        """See `SourceArchive`."""
        return OriginVisit("directory", {"HEAD": ObjectRef(ObjectKind.DIRECTORY, str(self._root))})

    def peel(self, ref: ObjectRef) -> None:
        """See `SourceArchive`: a directory has no revisions and no releases."""

    def pages(self, directory: str) -> Iterator[Sequence[DirectoryEntry]]:
        """See `SourceArchive`."""
        entries = sorted(Path(directory).iterdir())
        yield [DirectoryEntry(each.name, _type(each), str(each)) for each in entries]

    def content(self, id: str) -> ContentBytes | None:
        """See `SourceArchive`; the sha1 is not computed."""
        with Path(id).open("rb") as file:
            data = file.read(MAX_CONTENT + 1)
        return ContentBytes(data, len(data), "")

    def close(self) -> None:
        """See `SourceArchive`."""


def _type(path: Path) -> str:
    # A link may lead to any file of this machine, a pipe would never end.
    if path.is_symlink() or not (path.is_file() or path.is_dir()):
        return "link"
    return "dir" if path.is_dir() else "file"
