"""A reader of values applied to one value, for tests."""

from typing import NamedTuple

from indexer.software.rules.key_rule import ValueReader
from indexer.software.rules.property import Diagnostic, Diagnostics
from indexer.software.syntax.tree import Tree


class Reading(NamedTuple):
    """The values that a reader yields, their places, and the diagnostics."""

    values: list[Tree]
    places: list[str]
    diagnostics: list[Diagnostic]


def reading(reader: ValueReader, value: Tree) -> Reading:
    """Apply a reader to a value at the place `/k`."""
    diagnostics = Diagnostics()
    found = list(reader(value, "/k", diagnostics))
    return Reading([each for each, _ in found], [place for _, place in found], diagnostics.kept)
