"""Detection: the manifests of a root directory (spec 2.2 and 4)."""

from collections.abc import Iterator, Sequence
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


def candidates(
    archive: SourceArchive, directory: str, names: FileNames
) -> list[ManifestCandidate] | None:
    """Return the manifests of a directory, one of each format; None if the archive lacks it.

    All pages are read. If the only entry is a directory, as in a tarball, that one is listed, once.
    Of several files of a format, the one whose name is written as the format has it comes first,
    then the first name. Raises InputError.
    """
    found, only = _listed(archive, directory, names, "")
    if only is not None:
        found, _ = _listed(archive, only.id, names, f"{only.name}/")
    return found


def _listed(
    archive: SourceArchive, directory: str, names: FileNames, prefix: str
) -> tuple[list[ManifestCandidate] | None, DirectoryEntry | None]:
    """The manifests of a directory, and its only entry if that is a directory."""
    pages = archive.pages(directory)
    if pages is None:
        return None, None
    best: dict[str, tuple[tuple[bool, str], ManifestCandidate]] = {}
    count, last = 0, None
    for page in pages:
        count += len(page)
        last = page[-1] if page else last
        for entry, form in _matches(page, names):
            order = (entry.name not in form.files, entry.name)
            if form.name not in best or order < best[form.name][0]:
                best[form.name] = order, ManifestCandidate(prefix + entry.name, entry.id, form)
    is_wrapped = count == 1 and last is not None and last.type == "dir"
    return [best[name][1] for name in sorted(best)], last if is_wrapped else None


def _matches(
    page: Sequence[DirectoryEntry], names: FileNames
) -> Iterator[tuple[DirectoryEntry, ManifestFormat]]:
    for entry in page:
        if entry.type == "file":
            for form in names.formats_of(entry.name):
                yield entry, form
