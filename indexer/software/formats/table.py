"""The table of all formats, and the choice of a format by the name of a file."""

from collections.abc import Iterator

from indexer.software.formats.file_names import FileNames
from indexer.software.formats.javascript import NPM
from indexer.software.rules.manifest_format import ManifestFormat

FORMATS: tuple[ManifestFormat, ...] = (NPM,)
"""Every format, those that are trusted most first."""


_NAMES = FileNames(FORMATS)


def formats_of(name: str) -> Iterator[ManifestFormat]:
    """Yield each format that a file of this name may have (spec 4)."""
    return _NAMES.formats_of(name)
