"""Detection: the manifests of a root directory (spec 2.2 and 4)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

from indexer.software.archives.source_archive import DirectoryEntry, SourceArchive
from indexer.software.formats.file_names import FileNames
from indexer.software.rules.manifest_format import ManifestFormat

RULES = 1
"""The version of detection and merge: a greater number makes all rows of directories again."""


class ManifestCandidate(NamedTuple):
    """A file that is read as one format; its path is relative to the listed directory."""

    path: str
    sha1_git: str
    form: ManifestFormat


def detection(formats: Sequence[ManifestFormat]) -> str:
    """Return the version of the rules by which manifests are found and merged.

    It changes with a format's files or rank, and not with the translation of a format.
    """
    known = sorted((form.name, *form.files, str(form.rank)) for form in formats)
    return f"{RULES}-{sha256(repr(known).encode()).hexdigest()[:12]}"


class ManifestFinder:
    """Finds the manifests of root directories, by the names of some formats."""

    def __init__(self, formats: Sequence[ManifestFormat]) -> None:
        self._names = FileNames(formats)
        patterns = [pattern.casefold() for form in formats for pattern in form.files]
        self._folders = {each.rpartition("/")[0] for each in patterns if "/" in each}

    def find(self, archive: SourceArchive, directory: str) -> list[ManifestCandidate] | None:
        """Return the manifests of a directory, one of each format; None if the archive lacks it.

        All pages are read, also of folders that a format names, such as `debian`. If the only entry
        is a directory, as in a tarball, that one is listed, once. Of several files of a format, the
        one whose name is written as the format has it comes first, then the first name. Raises
        InputError.
        """
        found = _Listing("")
        if not self._list(archive, directory, found):
            return None
        if found.wrapped is not None:
            entry, found = found.wrapped, _Listing(f"{found.wrapped.name}/")
            self._list(archive, entry.id, found)
        for folder in found.folders:
            self._list(archive, folder.id, found, f"{folder.name}/")
        return [found.best[name] for name in sorted(found.best)]

    def _list(
        self, archive: SourceArchive, directory: str, found: "_Listing", folder: str = ""
    ) -> bool:
        pages = archive.pages(directory)
        for page in pages or ():
            for entry in page:
                if entry.type == "file":
                    path = folder + entry.name
                    for form in self._names.formats_of(path):
                        if ("/" in path) == any("/" in each for each in form.files):
                            found.add(path, entry.id, form)
                elif not folder and entry.type == "dir":
                    found.directory = entry
                    if entry.name.casefold() in self._folders:
                        found.folders.append(entry)
            found.count += len(page)
        return pages is not None


@dataclass(slots=True)
class _Listing:
    """What is known of a listed directory; `prefix`: its path in the root directory."""

    prefix: str
    count: int = 0
    directory: DirectoryEntry | None = None
    folders: list[DirectoryEntry] = field(default_factory=list)
    best: dict[str, ManifestCandidate] = field(default_factory=dict)

    @property
    def wrapped(self) -> DirectoryEntry | None:
        """The only entry, if that is a directory."""
        return self.directory if self.count == 1 else None

    def add(self, path: str, sha1_git: str, form: ManifestFormat) -> None:
        """Keep a file, if it is the first one of its format, or comes before the one known."""
        known = self.best.get(form.name)
        found = ManifestCandidate(self.prefix + path, sha1_git, form)
        if known is None or self._order(found) < self._order(known):
            self.best[form.name] = found

    def _order(self, found: ManifestCandidate) -> tuple[bool, str]:
        path = found.path.removeprefix(self.prefix)
        return path not in found.form.files, path
