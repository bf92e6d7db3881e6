"""Manifests: what is merged; and the values that they state."""

from typing import NamedTuple

from indexer.software.rules.property import Translation
from indexer.software.syntax.tree import Tree


class TranslatedManifest(NamedTuple):
    """A file that was translated: its path or name, and the rank of its format, 1 the highest."""

    path: str
    rank: int
    translation: Translation


class StatedValue(NamedTuple):
    """A value as one manifest states it: the path of the manifest, the place in it, the rule."""

    term: str
    value: Tree
    path: str
    format: str
    place: str
    rule: str


def by_trust(manifest: TranslatedManifest) -> tuple[int, int, str]:
    """Return the key that sorts manifests: by rank, then depth of the path, then path."""
    return manifest.rank, manifest.path.count("/"), manifest.path
