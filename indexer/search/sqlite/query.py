"""Compiles a query tree to SQLite's SQL and FTS5's match expressions.

Values are always parameters; field names come from a fixed table. Words are split here
(`search.language.words`) and quoted, so no text of a query is read as FTS5's syntax.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from indexer.search.language.dates import PUBLISHED
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
    is_textual,
    split,
)
from indexer.search.language.words import words

_GLOB_SPECIAL = str.maketrans({"*": "[*]", "?": "[?]", "[": "[[]"})

# A word counts three times as much in a title, as it does in `elasticsearch.query`.
_RANKED = "SELECT documents.number, -bm25(words, 3.0, 1.0) AS score"
_BEST = "ORDER BY score DESC, documents.number DESC"
_MATCHING = """
FROM words JOIN documents ON documents.number = words.rowid
WHERE words MATCH ? AND """

_UNRANKED = "SELECT documents.number, 0.0 AS score"
_NEWEST = """
ORDER BY documents.published DESC NULLS LAST, documents.indexed_date DESC, documents.number DESC"""
_ALL = """
FROM documents
WHERE """


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL that selects the number and score of each hit, best first; and its parameters."""

    columns: str
    source: str
    order: str
    values: tuple[str, ...]

    def limited(self, limit: int | None) -> str:
        """Return the SQL for at most `limit` hits."""
        sql = "\n".join((self.columns, self.source, self.order))
        return sql if limit is None else f"{sql}\nLIMIT {limit:d}"

    @property
    def counted(self) -> str:
        """The SQL that counts the hits."""
        return f"SELECT count(*) {self.source}"


def statement(tree: Tree) -> Statement:
    """Compile a tree to a search: ranked by its words if it has any, else newest first."""
    ranking, filters = split(tree)
    conditions = [_condition(node) for node in filters]
    where = " AND ".join(sql for sql, _ in conditions) or "1"
    values = [value for _, found in conditions for value in found]
    if ranking is None:
        return Statement(_UNRANKED, _ALL + where, _NEWEST, tuple(values))
    return Statement(_RANKED, _MATCHING + where, _BEST, (match(ranking), *values))


def match(tree: Tree) -> str:
    """Compile a textual tree to an FTS5 expression."""
    if isinstance(tree, Words):
        return _phrase(tree)
    if isinstance(tree, Or):
        return f"({' OR '.join(map(match, tree.nodes))})"
    if not isinstance(tree, And):
        raise TypeError(f"not about words: {tree}")
    # FTS5's NOT is binary, so each group needs a positive part; `is_textual` sees to that.
    wanted = " AND ".join(match(node) for node in tree.nodes if is_textual(node))
    unwanted = " OR ".join(match(node.node) for node in tree.nodes if isinstance(node, Not))
    return f"(({wanted}) NOT ({unwanted}))" if unwanted else f"({wanted})"


def _phrase(node: Words) -> str:
    quoted = " ".join(words(node.text)).replace('"', '""')
    return f'{{{" ".join(node.fields)}}} : "{quoted}"{" *" if node.prefix else ""}'


Condition = tuple[str, Sequence[str]]
"""A condition in SQL and its parameters. It is never NULL: its negation would be NULL as well."""


def _condition(tree: Tree) -> Condition:
    match tree:
        case And(nodes):
            return _joined(" AND ", nodes)
        case Or(nodes):
            return _joined(" OR ", nodes)
        case Not(node):
            sql, values = _condition(node)
            return f"NOT {sql}", values
        case Words():
            return "documents.number IN (SELECT rowid FROM words WHERE words MATCH ?)", [
                _phrase(tree)
            ]
        case Everything():
            return "1", ()
        case _:
            sql, values = _comparison(tree)
            column = _column(tree.field)
            return f"({column} IS NOT NULL AND {sql.format(column=column)})", values


def _joined(operator: str, nodes: Sequence[Tree]) -> Condition:
    conditions = [_condition(node) for node in nodes]
    sql = operator.join(sql for sql, _ in conditions)
    return f"({sql})", [value for _, values in conditions for value in values]


def _comparison(tree: OneOf | Like | Exists | Between) -> Condition:
    match tree:
        case OneOf(_, values):
            return "{column} IN (SELECT value FROM json_each(?))", [json.dumps(values)]
        case Like(_, parts):
            return "{column} GLOB ?", ["*".join(part.translate(_GLOB_SPECIAL) for part in parts)]
        case Exists():
            return "1", ()
        case Between(_, start, end):
            bounds = {"{column} >= ?": start, "{column} < ?": end}
            given = {sql: value for sql, value in bounds.items() if value is not None}
            return " AND ".join(given) or "1", list(given.values())


def _column(field: str) -> str:
    return "documents.published" if field == PUBLISHED else f"documents.{field}"
