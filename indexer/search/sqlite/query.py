"""Compiles a query tree to SQLite's SQL and FTS5's match expressions.

Values are always parameters; field names come from a schema. Words are split here
(`search.language.words`) and quoted, so no text of a query is read as FTS5's syntax.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from indexer.search.language.schema import FieldType, Schema, Sort
from indexer.search.language.tree import (
    And,
    Between,
    Everything,
    Exists,
    Like,
    Not,
    OneOf,
    Or,
    Scalar,
    Tree,
    Words,
    is_textual,
    split,
)
from indexer.search.language.words import words
from indexer.search.sqlite.tables import quoted, searched

_GLOB_SPECIAL = str.maketrans({"*": "[*]", "?": "[?]", "[": "[[]"})

_JOINED = "JOIN documents"

_MATCHING = f"""
FROM words {_JOINED} ON documents.number = words.rowid
WHERE words.words MATCH ? AND """

_MATCHING_ALONE = """
FROM words JOIN words_docsize ON words_docsize.id = words.rowid
WHERE words.words MATCH ?"""
"""Without conditions on the documents, whose rows are large. Words that a deletion left behind, as
they were split in another way, must match nothing: FTS5's own small row of the document tells."""

# The + keeps SQLite from looking up the words of each document by itself: the rank of each hit
# would count all documents with its words again.
_SELECTED = "SELECT documents.number FROM documents WHERE "
_UNRANKED = "SELECT documents.number, 0.0 AS score"
_ALL = """
FROM documents
WHERE """


Condition: TypeAlias = tuple[str, Sequence[Scalar]]
"""A condition in SQL and its parameters. It is never NULL: its negation would be NULL as well."""


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL that selects the number and score of each hit, best first; and its parameters."""

    columns: str
    source: str
    order: str
    values: tuple[Scalar, ...]

    def limited(self, limit: int | None) -> str:
        """Return the SQL for at most `limit` hits."""
        sql = "\n".join((self.columns, self.source, self.order))
        return sql if limit is None else f"{sql}\nLIMIT {limit:d}"

    def reading(self, columns: str, index: str = "") -> str:
        """Return the SQL that selects columns of the hits' documents, in any order.

        With an `index` that has these columns, hits with words are read from it. The statement has
        to be sorted, as one that is ranked may not read the documents at all.
        """
        source = self.source
        if index:
            source = source.replace(_JOINED, f"{_JOINED} INDEXED BY {quoted(index)}", 1)
        return f"SELECT {columns} {source}"

    @property
    def counted(self) -> str:
        """The SQL that counts the hits."""
        return f"SELECT count(*) {self.source}"


def statement(
    tree: Tree,
    schema: Schema,
    texts: Sequence[str],
    sort: Sequence[Sort] = (),
    *,
    filters_first: bool = False,
) -> Statement:
    """Compile a tree to a search: sorted; or else ranked by its words; or else in the usual order.

    `texts` are the columns of the table of words, in order. With `filters_first` the documents that
    pass the filters are selected before the words are looked up, with the same result.
    """
    ranking, filters = split(tree)
    conditions = [condition(node, schema) for node in filters]
    where = " AND ".join(sql for sql, _ in conditions) or "1"
    values = [value for _, found in conditions for value in found]
    if ranking is None:
        order = _order(sort or schema.order, schema)
        return Statement(_UNRANKED, _ALL + where, order, tuple(values))
    if filters_first:
        where = f"+words.rowid IN ({_SELECTED}{where})"
    columns = _UNRANKED if sort else _ranked(schema, texts)
    order = _order(sort, schema) if sort else "ORDER BY score DESC, words.rowid DESC"
    source = _MATCHING + where if filters or sort else _MATCHING_ALONE
    return Statement(columns, source, order, (match(ranking, texts), *values))


def _ranked(schema: Schema, texts: Sequence[str]) -> str:
    fields = map(schema.by_name.get, texts)
    weights = ", ".join(str(field.weight if field else 1.0) for field in fields)
    return f"SELECT words.rowid, -bm25(words.words, {weights}) AS score"


def _order(sort: Iterable[Sort], schema: Schema) -> str:
    columns = [
        f"{_column(each.field, schema)} {'DESC' if each.descending else 'ASC'} NULLS LAST"
        for each in sort
    ]
    return f"ORDER BY {', '.join([*columns, 'documents.number DESC'])}"


def match(tree: Tree, texts: Sequence[str]) -> str:
    """Compile a textual tree to an FTS5 expression; `texts` are the columns of words."""
    if isinstance(tree, Words):
        return _phrase(tree, texts)
    if isinstance(tree, Or):
        return f"({' OR '.join(match(node, texts) for node in tree.nodes)})"
    if not isinstance(tree, And):
        raise TypeError(f"not about words: {tree}")
    # FTS5's NOT is binary, so each group needs a positive part; `is_textual` sees to that.
    wanted = " AND ".join(match(node, texts) for node in tree.nodes if is_textual(node))
    unwanted = " OR ".join(match(node.node, texts) for node in tree.nodes if isinstance(node, Not))
    return f"(({wanted}) NOT ({unwanted}))" if unwanted else f"({wanted})"


def _phrase(node: Words, texts: Sequence[str] = ()) -> str:
    quoted = " ".join(words(node.text)).replace('"', '""')
    phrase = f'"{quoted}"{" *" if node.prefix else ""}'
    # A filter of columns that names all of them takes FTS5 as long as finding the word.
    if {*node.fields} == {*texts}:
        return phrase
    return f"{{{' '.join(node.fields)}}} : {phrase}"


def condition(tree: Tree, schema: Schema) -> Condition:
    """Compile a tree to a condition on `documents`."""
    match tree:
        case And(nodes):
            return _joined(" AND ", nodes, schema)
        case Or(nodes):
            return _joined(" OR ", nodes, schema)
        case Not(node):
            sql, values = condition(node, schema)
            return f"NOT {sql}", values
        case Words():
            return "documents.number IN (SELECT rowid FROM words WHERE words.words MATCH ?)", [
                _phrase(tree)
            ]
        case Everything():
            return "1", ()
        case _:
            return _comparison(tree, schema)


def _joined(operator: str, nodes: Sequence[Tree], schema: Schema) -> Condition:
    conditions = [condition(node, schema) for node in nodes]
    sql = operator.join(sql for sql, _ in conditions)
    return f"({sql})", [value for _, values in conditions for value in values]


def _comparison(tree: OneOf | Like | Exists | Between, schema: Schema) -> Condition:
    values: list[Scalar] = []
    column = _column(tree.field, schema)
    value = column
    if is_list := schema.by_name[tree.field].type is FieldType.KEYWORDS:
        value = "value"
    match tree:
        case OneOf(_, wanted):
            sql = f"{value} IN (SELECT value FROM json_each(?))"  # noqa: S608 - safe names
            values = [json.dumps(wanted)]
        case Like(_, parts):
            sql, values = f"{value} GLOB ?", ["*".join(map(_glob, parts))]
        case Exists():
            return f"{column} IS NOT NULL", ()
        case Between(_, start, end):
            bounds = {f"{value} >= ?": start, f"{value} < ?": end}
            given = {sql: bound for sql, bound in bounds.items() if bound is not None}
            sql, values = " AND ".join(given) or "1", list(given.values())
    if is_list:
        sql = f"EXISTS (SELECT 1 FROM json_each({column}) WHERE {sql})"  # noqa: S608 - safe names
    return f"({column} IS NOT NULL AND {sql})", values


def _glob(part: str) -> str:
    return part.translate(_GLOB_SPECIAL)


def _column(field: str, schema: Schema) -> str:
    return f"documents.{quoted(searched(schema.by_name[field]))}"
