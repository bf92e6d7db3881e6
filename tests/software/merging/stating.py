"""Manifests that state some values, for tests."""

from indexer.software.merging.manifest import TranslatedManifest
from indexer.software.rules.property import Property, Translation
from indexer.software.syntax.tree import Tree

CODEMETA, CFF, ECOSYSTEM = 1, 2, 3


def manifest(path: str, rank: int, *values: tuple[str, Tree]) -> TranslatedManifest:
    """A manifest of that rank with values of terms."""
    properties = [Property(term, value, f"/{term}", "a rule") for term, value in values]
    return TranslatedManifest(path, rank, Translation(path.partition(".")[0], properties))


def person(name: str = "", **fields: Tree) -> Tree:
    """A person."""
    return {"type": "Person", **({"name": name} if name else {}), **fields}
