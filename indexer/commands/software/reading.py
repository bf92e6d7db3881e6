"""The metadata files of a path: found by their names, read and translated."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import BinaryIO, NamedTuple

from indexer.commands.software.folder import FolderOnDisk
from indexer.errors import MAX_REASONS, ConfigurationError, InputError, UnreadableManifest
from indexer.software.archives.git import GitArchive, is_repository
from indexer.software.archives.heads import head_of
from indexer.software.archives.members import is_packed
from indexer.software.archives.source_archive import SourceArchive
from indexer.software.archives.tarball import TarballArchive
from indexer.software.formats.table import FORMATS, formats_of
from indexer.software.indexing.manifests import ManifestFinder
from indexer.software.merging.manifest import TranslatedManifest
from indexer.software.merging.merge import merge
from indexer.software.merging.merged import MergedMetadata
from indexer.software.rules.manifest_format import ManifestFormat
from indexer.software.rules.property import Diagnostics, Translation
from indexer.software.syntax.tree import Tree
from indexer.software.translation.translator import MAX_BYTES, translate, unread

STANDARD_INPUT = "-"


class ReadManifest(NamedTuple):
    """A metadata file: its path below what was read, its bytes, and its translation."""

    path: str
    content: bytes
    form: ManifestFormat
    translation: Translation


def read_manifests(path: str, format_name: str = "") -> list[ReadManifest]:
    """Return the metadata files of a directory, a bare git repository or a packed directory, or
    those that a file is or `-` brings.

    Raises InputError if there are none, and ConfigurationError for an unknown format.
    """
    found = [
        ReadManifest(name, content, form, translate(content, form))
        for name, content, form in _files(path, format_name)
    ]
    if not found:
        raise InputError(f"{path}: no metadata file of a known format")
    return found


def merged(manifests: Iterable[ReadManifest]) -> MergedMetadata:
    """Return the merged metadata of some files."""
    return merge(
        TranslatedManifest(each.path, each.form.rank, each.translation) for each in manifests
    )


def merged_path(path: str, format_name: str = "") -> MergedMetadata:
    """Return the merged metadata of a path. Raises InputError if there are none."""
    found = merged(read_manifests(path, format_name))
    if not found.values:
        reasons = [f"{m.path}: {d.why}" for m in found.manifests for d in m.translation.diagnostics]
        raise InputError("; ".join(reasons[:MAX_REASONS]) or f"{path}: no metadata")
    return found


def tree_of(manifest: ReadManifest) -> Tree:
    """Return what a file is read into; None for a file that can't be read."""
    try:
        tree = manifest.form.read(manifest.content) if manifest.content.strip() else {}
    except UnreadableManifest:
        return None
    return manifest.form.prepare(tree, Diagnostics()) if manifest.form.prepare else tree


def unread_places(manifest: ReadManifest) -> list[str]:
    """Return the places of the keys of a file that no rule reads."""
    return [*unread(tree_of(manifest), manifest.form)]


def format_named(name: str) -> ManifestFormat:
    """Return the format of a name. Raises ConfigurationError."""
    for form in FORMATS:
        if name in (form.name, form.class_name):
            return form
    names = ", ".join(sorted(form.name for form in FORMATS))
    raise ConfigurationError(f"no format {name}; known are {names}")


def _files(source: str, format_name: str) -> Iterator[tuple[str, bytes, ManifestFormat]]:
    """Yield the name and the bytes of each file, with each of its formats."""
    path = Path(source)
    if source != STANDARD_INPUT and not format_name and (archive := _archive(path)):
        with closing(archive):
            yield from _archived(source, archive)
        return
    if source == STANDARD_INPUT:
        name, content = "standard input", _read(sys.stdin.buffer)
    elif path.is_file() or path.is_char_device():
        with path.open("rb") as file:
            name, content = path.name, _read(file)
    else:
        raise InputError(
            f"{source}: {'not a file' if path.exists() else 'no such file or directory'}"
        )
    names = (name, f"{path.absolute().parent.name}/{name}")
    given = [form for each in names for form in formats_of(each)]
    if format_name:
        given = [format_named(format_name)]
    yield from ((name, content, form) for form in given or guessed(content))


def _archive(path: Path) -> SourceArchive | None:
    """Return what is at a path, if it is no single file. Raises InputError."""
    # Of a clone with its files, these count, and not the last revision.
    if path.is_dir() and (not is_repository(path) or (path / ".git").exists()):
        return FolderOnDisk(path)
    if path.is_dir():
        return GitArchive(path)
    return TarballArchive(path) if path.is_file() and is_packed(path.name) else None


def _archived(name: str, archive: SourceArchive) -> Iterator[tuple[str, bytes, ManifestFormat]]:
    head = head_of(archive, name)
    if not head.directory:
        raise InputError(f"{name}: no head: {head.reason}")
    for each in ManifestFinder(FORMATS).find(archive, head.directory) or ():
        if (content := archive.content(each.sha1_git)) is not None:
            # A content above the limit has no bytes; its size must be told all the same.
            yield each.path, content.data or bytes(min(content.size, MAX_BYTES + 1)), each.form


def guessed(content: bytes) -> list[ManifestFormat]:
    """Return the format by whose rules the most keys of a file are read, if there is one."""
    scores = [(_score(content, form), form) for form in FORMATS]
    best, form = max(scores, key=lambda each: each[0], default=(0, None))
    return [form] if form and best > 0 else []


def _score(content: bytes, form: ManifestFormat) -> int:
    # Every key of JSON is one of CodeMeta, so only its context tells.
    if form.class_name == "CodemetaMapping" and b'"@context"' not in content:
        return 0
    translation = translate(content, form)
    manifest = ReadManifest("", content, form, translation)
    places = {each.place for each in translation.properties}
    return len(places) - len(unread_places(manifest)) - len(translation.diagnostics.kept)


def _read(file: BinaryIO) -> bytes:
    # One byte more than the translator takes, so that it tells of the file's size.
    return file.read(MAX_BYTES + 1)
