"""The query tree, which is the same for every backend; each backend compiles it to its language.

Leaves are conditions on a document; `And`, `Or` and `Not` combine them. Field names are those of
the schema. `both`, `either` and `negation` make trees and keep them flat.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

Scalar: TypeAlias = str | int | float
"""A value as the index stores it. (Booleans are whole numbers to Python.)"""


@dataclass(frozen=True, slots=True)
class Everything:
    """Every document."""


@dataclass(frozen=True, slots=True)
class Words:
    """One of the fields has the words of `text` in sequence.

    With `prefix` the last word may be the beginning of a longer one.
    """

    fields: tuple[str, ...]
    text: str
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class OneOf:
    """The field has exactly one of the values; a list has one of them in it."""

    field: str
    values: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Like:
    """The field's value is these parts in order, with any text between them; in a list, one is."""

    field: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exists:
    """The field has a value."""

    field: str


@dataclass(frozen=True, slots=True)
class Between:
    """The value is `start` or more, and less than `end`. None: no bound.

    Dates are written as the index stores them: YYYY-MM-DD, timestamps YYYY-MM-DDThh:mm:ss.uuuuuu.
    """

    field: str
    start: Scalar | None
    end: Scalar | None


@dataclass(frozen=True, slots=True)
class And:
    """All nodes match."""

    nodes: tuple["Tree", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one node matches."""

    nodes: tuple["Tree", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The node does not match."""

    node: "Tree"


Tree: TypeAlias = Everything | Words | OneOf | Like | Exists | Between | And | Or | Not


def both(nodes: Iterable[Tree]) -> Tree:
    """Return the conjunction of the nodes; `Everything` if there are none."""
    flat = [part for node in nodes for part in parts(node) if not isinstance(part, Everything)]
    match flat:
        case []:
            return Everything()
        case [only]:
            return only
        case _:
            return And(tuple(flat))


def either(nodes: Iterable[Tree]) -> Tree:
    """Return the disjunction of one or more nodes."""
    flat: list[Tree] = []
    # Values of one field become one node: a query may list hundreds of domains.
    values: dict[str, dict[Scalar, None]] = {}
    for node in nodes:
        for part in node.nodes if isinstance(node, Or) else (node,):
            if isinstance(part, OneOf):
                values.setdefault(part.field, {}).update(dict.fromkeys(part.values))
            else:
                flat.append(part)
    flat += [OneOf(field, tuple(found)) for field, found in values.items()]
    return flat[0] if len(flat) == 1 else Or(tuple(flat))


def negation(node: Tree) -> Tree:
    """Return the negation of a node."""
    return node.node if isinstance(node, Not) else Not(node)


def parts(tree: Tree) -> tuple[Tree, ...]:
    """Return the conditions that a document must all match."""
    return tree.nodes if isinstance(tree, And) else (tree,)


def depth(tree: Tree) -> int:
    """Return the number of levels of `And`, `Or` and `Not`."""
    match tree:
        case And(nodes) | Or(nodes):
            return 1 + max(depth(node) for node in nodes)
        case Not(node):
            return 1 + depth(node)
        case _:
            return 0


def is_textual(tree: Tree) -> bool:
    """Return whether every match contains a word of the tree, so that hits can be ranked."""
    match tree:
        case Words():
            return True
        case Or(nodes):
            return all(map(is_textual, nodes))
        case And(nodes):
            return any(map(is_textual, nodes)) and all(map(_is_about_words, nodes))
        case _:
            return False


def _is_about_words(tree: Tree) -> bool:
    return is_textual(tree.node if isinstance(tree, Not) else tree)


def split(tree: Tree) -> tuple[Tree | None, list[Tree]]:
    """Split a tree into the part that ranks hits by their words, if any, and the filters."""
    if not any(map(is_textual, parts(tree))):
        return None, list(parts(tree))
    ranking = [part for part in parts(tree) if _is_about_words(part)]
    return both(ranking), [part for part in parts(tree) if not _is_about_words(part)]


def wanted(tree: Tree) -> Iterator[Words]:
    """Yield the words that a snippet may show: all except those under `Not`."""
    match tree:
        case Words():
            yield tree
        case And(nodes) | Or(nodes):
            for node in nodes:
                yield from wanted(node)
        case _:
            return
