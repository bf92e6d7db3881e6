"""A git repository on disk as an archive: one origin. libgit2 reads it (pygit2, extra `git`).

The repository is not trusted: no program, no hook and no filter runs, no configuration outside of
the repository is read, and nothing is checked out or written.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from indexer.errors import ConfigurationError, InputError
from indexer.software.archives.objects import sha1
from indexer.software.archives.source_archive import (
    MAX_CONTENT,
    ContentBytes,
    DirectoryEntry,
    ObjectKind,
    ObjectRef,
    OriginVisit,
    paged,
)
from indexer.text.cleaning import one_line

MAX_OBJECT = 100_000_000
"""The most bytes of a revision, a release or a tree: ten thousand bytes are usual."""

HEAD = "HEAD"

_TYPES = {0o040000: "dir", 0o120000: "link", 0o160000: "rev"}


def is_repository(path: Path) -> bool:
    """Whether a directory is a git repository, bare or with a work tree."""
    bare = (path / HEAD).is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()
    return bare or (path / ".git").exists()


class GitArchive:
    """The objects of a repository."""

    def __init__(self, path: Path, name: str = "") -> None:
        """Raises ConfigurationError without pygit2, InputError. `name` stands for it in errors."""
        git = _pygit2()
        self._name = name or str(path)
        with self._errors():
            self._repository = git.Repository(str(path), git.enums.RepositoryOpenFlag.NO_SEARCH)
            self._odb = self._repository.odb

    def visit(self, origin: str) -> OriginVisit | None:  # noqa: ARG002 - a repository is one origin
        """See `SourceArchive`."""
        return OriginVisit("git", _References(self))

    def peel(self, ref: ObjectRef) -> ObjectRef | None:
        """See `SourceArchive`."""
        with self._errors():
            found = self._object(ref.id)
            match type(found).__name__:
                case "Commit":
                    return ObjectRef(ObjectKind.DIRECTORY, str(found.tree_id))
                case "Tag":
                    return self.ref(str(found.target))
        return None

    def pages(self, directory: str) -> Iterator[Sequence[DirectoryEntry]] | None:
        """See `SourceArchive`."""
        with self._errors():
            found = self._object(directory)
            if type(found).__name__ != "Tree":
                return None
            entries = [
                DirectoryEntry(
                    each.raw_name.decode("utf-8", "replace"),
                    _TYPES.get(each.filemode, "file"),
                    str(each.id),
                )
                for each in found
            ]
        return paged(entries)

    def content(self, id: str) -> ContentBytes | None:
        """See `SourceArchive`."""
        with self._errors():
            kind, size = self._header(id)
            if kind is not ObjectKind.CONTENT:
                return None
            if size > MAX_CONTENT:
                return ContentBytes(b"", size, "")
            data = self._odb.read(id)[1]
        return ContentBytes(data, size, sha1(data))

    def close(self) -> None:
        """See `SourceArchive`."""
        self._repository.free()

    def ref(self, id: str) -> ObjectRef | None:
        """Return an object with its kind; None if the repository lacks it."""
        kind, _ = self._header(id)
        return ObjectRef(kind, id) if kind else None

    def names(self) -> list[str]:
        """Return the names of all references, HEAD first. Raises InputError."""
        with self._errors():
            found = self._repository.raw_listall_references()
        return [HEAD, *sorted(each.decode("utf-8", "backslashreplace") for each in found)]

    def reference(self, name: str) -> ObjectRef | None:
        """Return what a reference leads to; None if it leads nowhere. Raises InputError."""
        with self._errors():
            try:
                target = self._repository.lookup_reference(name).target
            except (KeyError, ValueError):
                return None
            if isinstance(target, str):
                return ObjectRef(ObjectKind.ALIAS, target)
            return self.ref(str(target))

    def _header(self, id: str) -> tuple[ObjectKind | None, int]:
        try:
            type, size = self._odb.read_header(id)
        except (KeyError, ValueError):
            return None, 0
        return _kinds().get(int(type)), size

    def _object(self, id: str) -> Any:
        _, size = self._header(id)
        if size > MAX_OBJECT:
            raise InputError(f"{self._name}: {id} has {size:,} bytes")
        return self._repository.get(id)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (_pygit2().GitError, OSError, KeyError, ValueError) as error:
            raise InputError(f"{self._name}: {one_line(str(error), 200)}") from error


class _References(Mapping[str, ObjectRef | None]):
    """The references of a repository. Each is looked up only when it is needed."""

    def __init__(self, archive: GitArchive) -> None:
        self._archive = archive
        self._names = dict.fromkeys(archive.names())

    def __getitem__(self, name: str) -> ObjectRef | None:
        if name not in self._names:
            raise KeyError(name)
        return self._archive.reference(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names


@cache
def _pygit2() -> ModuleType:
    try:
        import pygit2  # noqa: PLC0415 - an extra, which few machines need
    except ImportError as error:
        raise ConfigurationError(
            "git repositories need pygit2: pip install 'story-indexer[git]'"
        ) from error
    # Nothing of a repository is executed, so its owner doesn't matter; the machine's own
    # configuration must not change what is read.
    pygit2.settings.owner_validation = False
    level = pygit2.enums.ConfigLevel
    for each in (level.SYSTEM, level.XDG, level.GLOBAL, level.PROGRAMDATA):
        pygit2.settings.search_path[each] = ""
    return pygit2


@cache
def _kinds() -> Mapping[int, ObjectKind]:
    types = _pygit2().enums.ObjectType
    return {
        int(types.COMMIT): ObjectKind.REVISION,
        int(types.TAG): ObjectKind.RELEASE,
        int(types.TREE): ObjectKind.DIRECTORY,
        int(types.BLOB): ObjectKind.CONTENT,
    }
