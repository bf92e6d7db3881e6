"""What a `Query` asks for, as one tree."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from indexer.search.language.dates import PUBLISHED
from indexer.search.language.query import parse
from indexer.search.language.tree import Between, OneOf, Tree, both


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for. `text` is in the query language of `indexer.search.language.query`.

    `start` and `end` bound the publication date, both inclusive. `limit` None: every hit.
    """

    text: str = "*"
    start: date | None = None
    end: date | None = None
    languages: Sequence[str] = ()
    domains: Sequence[str] = ()
    limit: int | None = 20


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
