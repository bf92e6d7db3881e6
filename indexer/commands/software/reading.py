"""The metadata files of a path: found by their names, read and translated."""

import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from indexer.errors import MAX_REASONS, ConfigurationError, InputError, UnreadableManifest
from indexer.software.formats.table import FORMATS, formats_of
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
    """Return the metadata files of a directory, or those that a file is or `-` brings.

    Raises InputError if there are none, and ConfigurationError for an unknown format.
    """
    found = [
        ReadManifest(name, content, form, translate(content, form))
        for name, content, forms in _contents(path, format_name)
        for form in forms
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


def _contents(
    source: str, format_name: str
) -> Iterator[tuple[str, bytes, Iterable[ManifestFormat]]]:
    """Yield the name, the bytes and the formats of each file."""
    given = [format_named(format_name)] if format_name else []
    path = Path(source)
    if source == STANDARD_INPUT:
        content = _read(sys.stdin.buffer)
        yield "standard input", content, given or guessed(content)
    elif path.is_dir():
        for name in _files(path):
            with (path / name).open("rb") as file:
                yield name, _read(file), formats_of(name.rpartition("/")[2])
    elif path.exists():
        with path.open("rb") as file:
            content = _read(file)
        yield path.name, content, given or [*formats_of(path.name)] or guessed(content)
    else:
        raise InputError(f"{source}: no such file or directory")


def guessed(content: bytes) -> list[ManifestFormat]:
    """Return the format by whose rules the most keys of a file are read, if there is one."""
    scores = [(_score(content, form), form) for form in FORMATS]
    best, form = max(scores, key=lambda each: each[0], default=(0, None))
    return [form] if form and best > 0 else []


def _score(content: bytes, form: ManifestFormat) -> int:
    translation = translate(content, form)
    manifest = ReadManifest("", content, form, translation)
    places = {each.place for each in translation.properties}
    return len(places) - len(unread_places(manifest)) - len(translation.diagnostics.kept)


def _files(folder: Path) -> list[str]:
    """Return the paths of the metadata files of a directory, in order.

    If the only entry of the directory is another one, as in an unpacked archive, that counts.
    """
    entries = [*folder.iterdir()]
    if len(entries) == 1 and entries[0].is_dir() and not entries[0].is_symlink():
        entries = [*entries[0].iterdir()]
    # A link may lead to any file of this machine.
    return sorted(
        entry.relative_to(folder).as_posix()
        for entry in entries
        if any(formats_of(entry.name)) and stat.S_ISREG(entry.lstat().st_mode)
    )


def _read(file: BinaryIO) -> bytes:
    # One byte more than the translator takes, so that it tells of the file's size.
    return file.read(MAX_BYTES + 1)
