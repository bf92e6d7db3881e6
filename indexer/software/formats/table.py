"""The table of all formats, and the choice of a format by the name of a file."""

from collections.abc import Iterator

from indexer.software.formats.javascript import NPM
from indexer.software.rules.manifest_format import ManifestFormat

FORMATS: tuple[ManifestFormat, ...] = (NPM,)
"""Every format, those that are trusted most first."""


def formats_of(name: str) -> Iterator[ManifestFormat]:
    """Yield each format that a file of this name may have (spec 4)."""
    folded = name.casefold()
    for form in FORMATS:
        if any(_matches(folded, pattern.casefold()) for pattern in form.files):
            yield form


def _matches(name: str, pattern: str) -> bool:
    if pattern.startswith("*"):
        return name.endswith(pattern[1:]) and len(name) > len(pattern) - 1
    return name == pattern
