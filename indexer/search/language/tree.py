"""A query as a tree, the same for every index; each compiles it to its own language.

Leaves say what a story must have, `And`, `Or` and `Not` combine them. Field names are those of
`Document`. Trees are made by `both`, `either` and `negation`, which keep them flat.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

TITLE = "article_title"
TEXT = "text_content"


@dataclass(frozen=True, slots=True)
class Everything:
    """Every story."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of `text`, one after the other, in one of the fields.

    With `prefix` the last one may be only the beginning of a word.
    """

    fields: tuple[str, ...]
    text: str
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class OneOf:
    """The field has exactly one of the values."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Like:
    """The field is made of these parts in order, with anything or nothing between two of them."""

    field: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exists:
    """The field has a value."""

    field: str


@dataclass(frozen=True, slots=True)
class Between:
    """The date is at `start` or later, and before `end`. None: no bound on that side.

    Written as the field is: YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss.uuuuuu for `indexed_date`.
    """

    field: str
    start: str | None
    end: str | None


@dataclass(frozen=True, slots=True)
class And:
    """All of them."""

    nodes: tuple["Tree", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one of them."""

    nodes: tuple["Tree", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Not this."""

    node: "Tree"


Tree: TypeAlias = Everything | Words | OneOf | Like | Exists | Between | And | Or | Not


def both(nodes: Iterable[Tree]) -> Tree:
    """All of the nodes; everything if there are none."""
    flat = [part for node in nodes for part in parts(node) if not isinstance(part, Everything)]
    match flat:
        case []:
            return Everything()
        case [only]:
            return only
        case _:
            return And(tuple(flat))


def either(nodes: Iterable[Tree]) -> Tree:
    """At least one of the nodes, of which there must be one."""
    flat: list[Tree] = []
    values: dict[str, dict[str, None]] = {}
    for node in nodes:
        for part in node.nodes if isinstance(node, Or) else (node,):
            if isinstance(part, OneOf):
                values.setdefault(part.field, {}).update(dict.fromkeys(part.values))
            else:
                flat.append(part)
    flat += [OneOf(field, tuple(found)) for field, found in values.items()]
    return flat[0] if len(flat) == 1 else Or(tuple(flat))


def negation(node: Tree) -> Tree:
    """What does not match the node."""
    return node.node if isinstance(node, Not) else Not(node)


def parts(tree: Tree) -> tuple[Tree, ...]:
    """What a story must match, each of them."""
    return tree.nodes if isinstance(tree, And) else (tree,)


def depth(tree: Tree) -> int:
    """How many `And`, `Or` and `Not` are within one another."""
    match tree:
        case And(nodes) | Or(nodes):
            return 1 + max(depth(node) for node in nodes)
        case Not(node):
            return 1 + depth(node)
        case _:
            return 0


def is_textual(tree: Tree) -> bool:
    """Whether whatever matches has one of its words: then hits can be ranked by them."""
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
    """The part that ranks hits by their words, if there is one; and the filters besides."""
    if not any(map(is_textual, parts(tree))):
        return None, list(parts(tree))
    ranking = [part for part in parts(tree) if _is_about_words(part)]
    return both(ranking), [part for part in parts(tree) if not _is_about_words(part)]


def wanted(tree: Tree) -> Iterator[Words]:
    """The words that hits have, for a snippet: all but those under `Not`."""
    match tree:
        case Words():
            yield tree
        case And(nodes) | Or(nodes):
            for node in nodes:
                yield from wanted(node)
        case _:
            return
