"""Rules: the key of a format, the term that it stands for, and how its values are read."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from indexer.software.rules.property import Diagnostics
from indexer.software.syntax.tree import Tree, below

Readings: TypeAlias = Iterable[tuple[Tree, str]]
"""Values of a term, each with its place."""

ValueReader: TypeAlias = Callable[[Tree, str, Diagnostics], Readings]
"""Reads the value of a key, of any shape: `(value, place, diagnostics)` → values of the term.

A reader never raises; a value that it can't use becomes a diagnostic.
"""


@dataclass(frozen=True, slots=True)
class KeyRule:
    """A rule: values under `key` are values of `term`.

    `key`: names from the root of the tree with slashes between them, such as `scm/url`; `*` stands
    for each name; a list on the way stands for each of its items. `read`: None takes the reader of
    the term. `source`: the table that has the rule, for `explain`.
    """

    key: str
    term: str
    read: ValueReader | None = None
    source: str = "own table"

    @property
    def name(self) -> str:
        """The rule in one line."""
        return f"{self.key} → {self.term} ({self.source})"


def find(tree: Tree, steps: tuple[str, ...], place: str = "") -> Iterator[tuple[Tree, str]]:
    """Yield each value that the steps of a key lead to, with its place."""
    if not steps:
        yield tree, place
    elif isinstance(tree, list):
        for number, item in enumerate(tree):
            yield from find(item, steps, below(place, number))
    elif isinstance(tree, dict):
        step, rest = steps[0], steps[1:]
        for name in tree if step == "*" else (step,):
            if name in tree:
                yield from find(tree[name], rest, below(place, name))
