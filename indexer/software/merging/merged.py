"""Merged metadata: values with all their sources, and conflicts."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from indexer.software.merging.manifest import StatedValue, TranslatedManifest
from indexer.software.rules.property import Property
from indexer.software.syntax.tree import Tree
from indexer.software.translation.document import NEWEST, document


class MergedValue(NamedTuple):
    """A value of a term, and what manifests state that is the same, the most trusted one first."""

    term: str
    value: Tree
    stated: tuple[StatedValue, ...]


class Conflict(NamedTuple):
    """Values that contradict each other: those that are kept, and those that are not used.

    `term` is a term, or a term and a field of its objects, such as `author/email`.
    """

    term: str
    kept: tuple[MergedValue, ...]
    others: tuple[MergedValue, ...]


@dataclass(frozen=True, slots=True)
class MergedMetadata:
    """The metadata of a project: its manifests in order of trust, values, and conflicts."""

    manifests: tuple[TranslatedManifest, ...]
    values: tuple[MergedValue, ...]
    conflicts: tuple[Conflict, ...]

    def document(self, version: str = NEWEST) -> dict[str, Tree]:
        """Return the merged document, empty if no manifest states anything."""
        return _document(((each.term, each.value) for each in self.values), version)

    def documents(self, version: str = NEWEST) -> dict[str, dict[str, Tree]]:
        """Return the document of each manifest alone, by its path."""
        return {
            each.path: document(each.translation.properties, version) for each in self.manifests
        }


def _document(values: Iterable[tuple[str, Tree]], version: str) -> dict[str, Tree]:
    return document((Property(term, value, "", "") for term, value in values), version)
