"""Searches for software: a page of hits, tier by tier, and the key of the next page.

The hits of a tier are in the order of their origins, on every backend, so a page goes on from the
tier and the origin of the last hit, whatever was added meanwhile.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from indexer.errors import QueryError
from indexer.search import Document, FacetValue, SearchIndex
from indexer.search.language.query import Query
from indexer.search.language.schema import Sort
from indexer.search.language.tree import Between, Everything, Not, Tree
from indexer.software.searching.fields import TIER_NAMES
from indexer.software.searching.tiers import filters_of, tiers_of

BY_ORIGIN = (Sort("origin"),)

MAX_HITS = 1000
"""The most hits of a page."""


class PageKey(NamedTuple):
    """The place of a hit: its tier, and the URL of its origin."""

    tier: int
    origin: str

    def __str__(self) -> str:
        """The key as clients send it back."""
        return f"{self.tier}:{self.origin}"

    @classmethod
    def read(cls, text: str) -> "PageKey":
        """Return the key that a client sends back. Raises QueryError."""
        tier, _, origin = text.partition(":")
        if not origin or tier not in map(str, range(len(TIER_NAMES))) or "\x00" in origin:
            raise QueryError("not the key of a page: send the `next` of the page before")
        return cls(int(tier), origin)


class SoftwareHit(NamedTuple):
    """An origin that was found, and its tier: a place in `TIER_NAMES`."""

    tier: int
    document: Document

    @property
    def key(self) -> PageKey:
        """The place of the hit."""
        return PageKey(self.tier, self.document.text("origin"))

    def values(self) -> dict[str, Any]:
        """Return what a client gets of the hit."""
        shown = self.document.get("shown")
        names = ("license", "language", "mapping", "author", "head")
        listed = {name: self.document.get(name) for name in names}
        return {
            "origin": self.document.text("origin"),
            "match": TIER_NAMES[self.tier],
            **(shown if isinstance(shown, Mapping) else {}),
            **{name: value for name, value in listed.items() if value},
        }


@dataclass(frozen=True, slots=True)
class SoftwareQuery:
    """A search. `tree`: of `tree_of` or `conjunction`; None finds nothing.

    `filters`: wanted values by facet; hits have one of each facet. `after`: of the page before.
    """

    tree: Tree | None = field(default_factory=Everything)
    filters: Mapping[str, Sequence[str]] = field(default_factory=dict)
    limit: int = 20
    after: PageKey | None = None


def search_page(index: SearchIndex, query: SoftwareQuery) -> tuple[list[SoftwareHit], str | None]:
    """Return the hits of a page, best first, and the key of the next page, if there is one.

    Raises QueryError, SearchError.
    """
    if query.tree is None:
        return [], None
    limit = min(query.limit, MAX_HITS)
    hits: list[SoftwareHit] = []
    # One more hit than wanted tells whether there is another page.
    for tier, condition in _conditions(query):
        wanted = Query(filters=condition, sort=BY_ORIGIN, limit=limit + 1 - len(hits))
        hits += (SoftwareHit(tier, hit.document) for hit in index.search(wanted))
        if len(hits) > limit:
            return hits[:limit], str(hits[limit - 1].key)
    return hits, None


def count_hits(index: SearchIndex, query: SoftwareQuery) -> int:
    """Return the number of hits on all pages. Raises QueryError, SearchError."""
    return 0 if query.tree is None else index.count(_whole(query))


def facets_of(
    index: SearchIndex, query: SoftwareQuery, names: Sequence[str], size: int = 10
) -> dict[str, list[FacetValue]]:
    """Return the most common values of facets among all hits. Raises QueryError, SearchError."""
    if query.tree is None:
        return {name: [] for name in names}
    return index.facets(_whole(query), names, size)


def _whole(query: SoftwareQuery) -> Query:
    return Query(filters=[query.tree or Everything(), *filters_of(query.filters)])


def _conditions(query: SoftwareQuery) -> Iterator[tuple[int, list[Tree]]]:
    """The conditions of each tier that the page may have hits of."""
    filters = filters_of(query.filters)
    after = query.after or PageKey(0, "")
    better: list[Tree] = []
    for tier in tiers_of(query.tree or Everything()):
        if tier.place >= after.tier:
            conditions = [tier.tree, *filters, *better]
            if query.after and tier.place == after.tier:
                # The first text after the origin of the last hit.
                conditions.append(Between("origin", f"{after.origin}\x00", None))
            yield tier.place, conditions
        # Each tier finds all that the one before finds.
        better = [Not(tier.mark)]
