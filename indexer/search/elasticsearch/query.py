"""Compiles a query tree to Elasticsearch's query language."""

from collections.abc import Sequence
from typing import TypeAlias

from indexer.search.elasticsearch.mapping import type_of
from indexer.search.elasticsearch.points import ANY_ORDER
from indexer.search.language.schema import FieldType, Json, Schema, Sort
from indexer.search.language.tree import (
    And,
    Between,
    Everything,
    Exists,
    Like,
    Not,
    OneOf,
    Or,
    Tree,
    Words,
    split,
)
from indexer.search.language.words import words

Clause: TypeAlias = dict[str, Json]

MAX_PREFIX_WORDS = 1000
"""The most words that the * after a phrase stands for. (After a single word there is no limit.)"""

BEST: list[Clause] = [{"_score": {"order": "desc"}}]

_SPECIAL = str.maketrans({"*": r"\*", "?": r"\?", "\\": r"\\"})


def compiled(tree: Tree, schema: Schema) -> Clause:
    """Compile a tree to a query."""
    ranking, filters = split(tree)
    if ranking is None:
        return _bool(filter=[_clause(tree, schema)])
    return _bool(
        must=[_clause(ranking, schema)], filter=[_clause(node, schema) for node in filters]
    )


def order(tree: Tree, schema: Schema, sort: Sequence[Sort] = ()) -> list[Clause]:
    """Return the order of hits: sorted; or else by score; or else in the usual order."""
    if not sort and split(tree)[0] is not None:
        return BEST
    return [_sorted(each, schema) for each in sort or schema.order] or ANY_ORDER


def _sorted(sort: Sort, schema: Schema) -> Clause:
    field = schema.by_name[sort.field]
    clause: Clause = {
        "order": "desc" if sort.descending else "asc",
        "missing": "_last",
        "unmapped_type": type_of(field),
    }
    # Older indices have the type `date`, whose values are milliseconds.
    if field.type is FieldType.TIMESTAMP:
        clause["numeric_type"] = "date_nanos"
    return {field.name: clause}


def _bool(**clauses: Json) -> Clause:
    return {"bool": {occur: found for occur, found in clauses.items() if found}}


def _clause(tree: Tree, schema: Schema) -> Clause:
    match tree:
        case And(nodes):
            return _bool(
                must=[_clause(node, schema) for node in nodes if not isinstance(node, Not)],
                must_not=[_clause(node.node, schema) for node in nodes if isinstance(node, Not)],
            )
        case Or(nodes):
            return _bool(should=[_clause(node, schema) for node in nodes])
        case Not(node):
            return _bool(must_not=[_clause(node, schema)])
        case _:
            return _leaf(tree, schema)


def _leaf(tree: Words | OneOf | Like | Exists | Between | Everything, schema: Schema) -> Clause:
    match tree:
        case Everything():
            return {"match_all": {}}
        case Words():
            return _words(tree, schema)
        case OneOf(field, values):
            return {"terms": {field: list(values)}}
        case Like(field, parts):
            return {"wildcard": {field: "*".join(part.translate(_SPECIAL) for part in parts)}}
        case Exists(field):
            return {"exists": {"field": field}}
        case Between():
            return _range(tree)


def _range(node: Between) -> Clause:
    bounds: dict[str, Json] = {"gte": node.start, "lt": node.end}
    given = {name: bound for name, bound in bounds.items() if bound is not None}
    return {"range": {node.field: given}} if given else {"exists": {"field": node.field}}


def _words(node: Words, schema: Schema) -> Clause:
    found = words(node.text)
    # `phrase_prefix` is limited to MAX_PREFIX_WORDS words and `prefix` is not, so a single word
    # uses the latter.
    if node.prefix and len(found) == 1:
        prefixes: list[Json] = [{"prefix": {field: found[0]}} for field in node.fields]
        return {"dis_max": {"queries": prefixes}}
    fields = [f"{field}^{schema.by_name[field].weight:g}" for field in node.fields]
    phrase: dict[str, Json] = {"query": node.text, "fields": fields, "type": "phrase"}
    if node.prefix:
        phrase |= {"type": "phrase_prefix", "max_expansions": MAX_PREFIX_WORDS}
    return {"multi_match": phrase}
