"""Queries of software: their trees, and the tiers of match in which hits are ordered.

text → folded → tree of the core's language → filters as labels → tiers, each within the next
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from indexer.search.language.query import parse
from indexer.search.language.tree import (
    And,
    Not,
    OneOf,
    Or,
    Tree,
    Words,
    both,
    either,
    parts,
)
from indexer.search.language.words import normal, words
from indexer.software.searching.fields import FACETS, LABELS, SOFTWARE_FIELDS, TIERS
from indexer.software.searching.folding import folded, label

DEFAULT = SOFTWARE_FIELDS.default


class Tier(NamedTuple):
    """A tier of match: a place in `TIER_NAMES`, and the tree of its hits and those of better tiers.

    `mark` is the part of the tree that hits of the tiers after this one don't match.
    """

    place: int
    tree: Tree
    mark: Tree


def tree_of(text: str) -> Tree:
    """Return the tree of a query in the query language. Raises QueryError."""
    return _labelled(parse(folded(text), SOFTWARE_FIELDS))


def conjunction(terms: Iterable[str]) -> Tree | None:
    """Return the tree that finds all words of all terms, which are plain text (spec 8.1).

    None: there is no word, and nothing is found.
    """
    found = [word for term in terms for word in words(normal(folded(term)))]
    return both(Words(DEFAULT, word) for word in dict.fromkeys(found)) if found else None


def filters_of(wanted: Mapping[str, Sequence[str]]) -> list[Tree]:
    """Return a filter for each facet that has wanted values: hits have any of them."""
    return [_any_of(field, values) for field, values in wanted.items() if values]


def tiers_of(tree: Tree) -> list[Tier]:
    """Return the tiers of a query, best first."""
    name = OneOf("exact", (_whole_name(tree),))
    first = [Tier(0, both([name, tree]), name)] if name.values[0] else []
    narrower = [(place, _within(tree, fields)) for place, fields in enumerate(TIERS, 1)]
    distinct = [one for one in narrower[:-1] if one[1] != tree]
    return [*first, *(Tier(place, one, one) for place, one in [*distinct, narrower[-1]])]


def _whole_name(tree: Tree) -> str:
    """The words of a query that has nothing but words; a name may consist of them."""
    texts = [
        part.text if isinstance(part, Words) and part.fields == DEFAULT and not part.prefix else ""
        for part in parts(tree)
        if not (isinstance(part, Words) and part.fields == (LABELS,))
    ]
    return " ".join(" ".join(map(" ".join, map(words, texts))).split()) if all(texts) else ""


def _within(tree: Tree, fields: tuple[str, ...]) -> Tree:
    """The tree whose words are in some of the fields only; what it excludes stays excluded."""
    match tree:
        case Words(searched, text, prefix) if searched == DEFAULT:
            return Words(fields, text, prefix)
        case And(nodes):
            return And(tuple(_within(node, fields) for node in nodes))
        case Or(nodes):
            return Or(tuple(_within(node, fields) for node in nodes))
    return tree


def _labelled(tree: Tree) -> Tree:
    """The tree with labels in the place of values of facets."""
    match tree:
        case OneOf(field, values) if field in FACETS:
            return _any_of(field, map(str, values))
        case And(nodes):
            return both(map(_labelled, nodes))
        case Or(nodes):
            return either(map(_labelled, nodes))
        case Not(node):
            return Not(_labelled(node))
    return tree


def _any_of(field: str, values: Iterable[str]) -> Tree:
    return either(Words((LABELS,), label(field, value)) for value in values)
