"""What a `Query` asks for, as one tree."""

from datetime import timedelta

from indexer.search import Query
from indexer.search.dates import PUBLISHED
from indexer.search.query import parse
from indexer.search.tree import Between, OneOf, Tree, both


def plan(query: Query) -> Tree:
    """The tree of a query's text and filters. Raises QueryError."""
    return both([parse(query.text), *_filters(query)])


def _filters(query: Query) -> list[Tree]:
    filters: list[Tree] = []
    if query.start or query.end:
        start = query.start.isoformat() if query.start else None
        filters.append(Between(PUBLISHED, start, _day_after(query)))
    if query.languages:
        filters.append(OneOf("language", tuple(map(str.lower, query.languages))))
    if query.domains:
        filters.append(OneOf("canonical_domain", tuple(map(str.lower, query.domains))))
    return filters


def _day_after(query: Query) -> str | None:
    """`end` is the last day that is wanted."""
    try:
        return (query.end + timedelta(days=1)).isoformat() if query.end else None
    except OverflowError:
        return None
