"""Compiles a query tree to Elasticsearch's query language."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from indexer.search.language.tree import (
    TITLE,
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

Json: TypeAlias = Mapping[str, "Json"] | Sequence["Json"] | str | float | bool | None
Clause: TypeAlias = dict[str, Json]

MAX_PREFIX_WORDS = 1000
"""The most words that the * after a phrase stands for. (After a single word there is no limit.)"""

NEWEST: list[Clause] = [
    {"publication_date": {"order": "desc", "missing": "_last", "unmapped_type": "date"}},
    {
        "indexed_date": {
            "order": "desc",
            "numeric_type": "date_nanos",
            "unmapped_type": "date_nanos",
        }
    },
]
BEST: list[Clause] = [{"_score": {"order": "desc"}}]

_SPECIAL = str.maketrans({"*": r"\*", "?": r"\?", "\\": r"\\"})


def compiled(tree: Tree) -> Clause:
    """Compile a tree to a query."""
    ranking, filters = split(tree)
    if ranking is None:
        return _bool(filter=[_clause(tree)])
    return _bool(must=[_clause(ranking)], filter=[_clause(node) for node in filters])


def order(tree: Tree) -> list[Clause]:
    """Return the order of hits: by score if the tree has words to rank by, else newest first."""
    return NEWEST if split(tree)[0] is None else BEST


def _bool(**clauses: Json) -> Clause:
    return {"bool": {occur: found for occur, found in clauses.items() if found}}


def _clause(tree: Tree) -> Clause:
    match tree:
        case And(nodes):
            return _bool(
                must=[_clause(node) for node in nodes if not isinstance(node, Not)],
                must_not=[_clause(node.node) for node in nodes if isinstance(node, Not)],
            )
        case Or(nodes):
            return _bool(should=[_clause(node) for node in nodes])
        case Not(node):
            return _bool(must_not=[_clause(node)])
        case _:
            return _leaf(tree)


def _leaf(tree: Words | OneOf | Like | Exists | Between | Everything) -> Clause:
    match tree:
        case Everything():
            return {"match_all": {}}
        case Words():
            return _words(tree)
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
    given = {name: bound for name, bound in bounds.items() if bound}
    return {"range": {node.field: given}} if given else {"exists": {"field": node.field}}


def _words(node: Words) -> Clause:
    found = words(node.text)
    # `phrase_prefix` is limited to MAX_PREFIX_WORDS words and `prefix` is not, so a single word
    # uses the latter.
    if node.prefix and len(found) == 1:
        prefixes: list[Json] = [{"prefix": {field: found[0]}} for field in node.fields]
        return {"dis_max": {"queries": prefixes}}
    # A word counts three times as much in a title, as it does in `sqlite.query`.
    fields = ["article_title^3" if field == TITLE else field for field in node.fields]
    phrase: dict[str, Json] = {"query": node.text, "fields": fields, "type": "phrase"}
    if node.prefix:
        phrase |= {"type": "phrase_prefix", "max_expansions": MAX_PREFIX_WORDS}
    return {"multi_match": phrase}
