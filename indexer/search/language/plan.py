"""Queries, and the tree of a query's text and filters."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from indexer.search.language.dates import PUBLISHED
from indexer.search.language.query import parse
from indexer.search.language.tree import Between, OneOf, Tree, both


@dataclass(frozen=True, slots=True)
class Query:
    """A search. `text` is in the query language of `indexer.search.language.query`.

    `start` and `end` are the first and last publication date. Without `limit` all hits are found.
    """

    text: str = "*"
    start: date | None = None
    end: date | None = None
    languages: Sequence[str] = ()
    domains: Sequence[str] = ()
    limit: int | None = 20


def plan(query: Query) -> Tree:
    """Return the tree of a query's text and filters. Raises QueryError."""
    return both([parse(query.text), *_filters(query)])


def _filters(query: Query) -> list[Tree]:
    filters: list[Tree] = []
    if query.start or query.end:
        start = query.start.isoformat() if query.start else None
        # Between excludes its end, and the calendar's last day has none after it.
        bounded = query.end and query.end < date.max
        end = (query.end + timedelta(days=1)).isoformat() if query.end and bounded else None
        filters.append(Between(PUBLISHED, start, end))
    named = {"language": query.languages, "canonical_domain": query.domains}
    filters += [OneOf(name, tuple(map(str.lower, some))) for name, some in named.items() if some]
    return filters
