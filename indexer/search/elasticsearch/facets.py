"""Facets: the aggregation that counts the values of a field, and its answer."""

from collections.abc import Iterable, Mapping
from typing import Any

from indexer.search import FacetValue

MORE_OF_EACH_SHARD = 5000
"""How many values each shard counts: fewer would make the sums of several shards inexact."""


def counts(fields: Iterable[str], size: int) -> dict[str, Any]:
    """Return the aggregations that count the values of fields: most hits first, then by value."""
    order = [{"_count": "desc"}, {"_key": "asc"}]
    many = {"size": size, "shard_size": max(size, MORE_OF_EACH_SHARD), "order": order}
    return {name: {"terms": {"field": name, **many}} for name in fields}


def counted(answer: Mapping[str, Any]) -> list[FacetValue]:
    """Return the values of an answer."""
    return [FacetValue(each["key"], each["doc_count"]) for each in answer.get("buckets", ())]
