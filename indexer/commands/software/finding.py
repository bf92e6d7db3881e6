"""Hits of `story-indexer search --software`, for a person or as one line of JSON."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

import msgspec

from indexer.commands.console.terminal import cell
from indexer.search import FacetValue, open_index
from indexer.software.searching.fields import SOFTWARE_FIELDS
from indexer.software.searching.search import (
    PageKey,
    SoftwareHit,
    SoftwareQuery,
    count_hits,
    facets_of,
    search_page,
)
from indexer.software.searching.tiers import tree_of
from indexer.system.escaping import escaped

LENGTH = 200
"""The most characters of a line of a hit."""


def find_software(
    url: str,
    text: str,
    filters: Mapping[str, Sequence[str]],
    facets: Sequence[str],
    page: tuple[int, str],
    *,
    as_json: bool,
) -> None:
    """Print a page of hits; `page` is the most hits, and the key of the page before or "".

    Raises QueryError, SearchError.
    """
    limit, after = page
    key = PageKey.read(after) if after else None
    query = SoftwareQuery(tree_of(text), filters, limit, key)
    with closing(open_index(url, SOFTWARE_FIELDS)) as index:
        hits, following = search_page(index, query)
        total = count_hits(index, query)
        counts = facets_of(index, query, facets)
    if as_json:
        found = {"total": total, "hits": [hit.values() for hit in hits], "next": following}
        listed = {name: [each._asdict() for each in values] for name, values in counts.items()}
        line = msgspec.json.encode({**found, "facets": listed}).decode()
        sys.stdout.write(f"{escaped(line)}\n")
        return
    for hit in hits:
        print("\n".join(cell(line, LENGTH) for line in _lines(hit.values())), end="\n\n")
    for name, values in counts.items():
        print(f"{name}: {_counted(values)}")
    print(_summary(hits, total, following))


def _lines(hit: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a hit: its name, its URL, its facts and its description."""
    yield " ".join(filter(None, [hit.get("name") or "(no name)", hit.get("version")]))
    yield hit["origin"]
    facts = [", ".join(hit[name]) for name in ("license", "language", "mapping") if name in hit]
    authors = ", ".join(hit.get("author", ()))
    yield " · ".join([*facts, *([f"by {authors}"] if authors else [])])
    if "description" in hit:
        yield hit["description"]


def _counted(values: Sequence[FacetValue]) -> str:
    return ", ".join(f"{cell(each.value)} ({each.hits})" for each in values) or "none"


def _summary(hits: Sequence[SoftwareHit], total: int, following: str | None) -> str:
    if not total:
        return "no software matches"
    shown = f"{total} found, {len(hits)} shown"
    return f"{shown}: --after '{cell(following)}' for the next page" if following else shown
