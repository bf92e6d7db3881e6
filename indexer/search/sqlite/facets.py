"""Counts the values of keyword fields among the hits of a search."""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from heapq import nsmallest
from typing import TypeAlias

import msgspec

from indexer.search import FacetValue
from indexer.search.language.schema import Field, FieldType, Schema, Sort
from indexer.search.language.tree import Tree
from indexer.search.sqlite.migration import stored_texts
from indexer.search.sqlite.narrowing import narrowed
from indexer.search.sqlite.tables import counted_index, quoted

_Counts: TypeAlias = Counter[str | None]

_BATCH = 5000
_LIST = msgspec.json.Decoder(list[str])


def counted_values(
    connection: sqlite3.Connection,
    tree: Tree,
    schema: Schema,
    names: Sequence[str],
    size: int,
) -> dict[str, list[FacetValue]]:
    """Return the most common values of each named keyword field; at least one is named."""
    # Sorted, as such a search reads the rows of documents, and not of their words only.
    search = narrowed(connection, tree, schema, stored_texts(connection), [Sort(names[0])])
    columns = ", ".join(f"documents.{quoted(name)}" for name in names)
    counters: list[_Counts] = [Counter() for _ in names]
    index = counted_index(schema) if all(schema.by_name[name].counted for name in names) else ""
    rows = connection.execute(search.reading(columns, index), search.values)
    # Column by column, as a Counter counts an iterable much faster than single values.
    while batch := rows.fetchmany(_BATCH):
        for counter, column in zip(counters, zip(*batch, strict=True), strict=True):
            counter.update(column)
    return {
        name: _most(_values(schema.by_name[name], counter), size)
        for name, counter in zip(names, counters, strict=True)
    }


def _values(field: Field, columns: _Counts) -> dict[str, int]:
    """The counts of single values: the column of a list is its JSON text."""
    is_list = field.type is FieldType.KEYWORDS
    found: dict[str, int] = {}
    for column, hits in columns.items():
        if column is not None:
            for value in set(_LIST.decode(column)) if is_list else (column,):
                found[value] = found.get(value, 0) + hits
    return found


def _most(counts: dict[str, int], size: int) -> list[FacetValue]:
    ordered = nsmallest(size, counts.items(), key=lambda item: (-item[1], item[0]))
    return [FacetValue(*item) for item in ordered]
