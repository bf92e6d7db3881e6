"""The tables of a schema: their SQL, and the columns of a document.

`documents` has a column for each field. Beside the column of a date is another with the same date
if it is valid, else NULL, which no range matches. `words` is an FTS5 table that stores, without a
copy of the texts, the words of each text field, separated by spaces, as `search.language.words`
splits them. `fields` has the names and types of the fields: see `migration`.

Names of fields are safe within SQL: `Field` accepts only letters, digits and underscores.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TypeAlias

import msgspec

from indexer.search import Document
from indexer.search.language.dates import day
from indexer.search.language.schema import Field, FieldType, Json, Schema
from indexer.search.language.words import spaced

Column: TypeAlias = str | int | float | None
"""A value in SQLite."""

FORMAT = 2
"""The version of the tables."""

APPLICATION_ID = 0x53494449
"""SQLite's `application_id` of a search index: "SIDI"."""

AFFINITIES = {FieldType.INTEGER: "INTEGER", FieldType.BOOLEAN: "INTEGER", FieldType.FLOAT: "REAL"}
"""The types of columns that are not TEXT."""

_JSON = (FieldType.KEYWORDS, FieldType.STORED)

# The words are split already, so the tokenizer must split at spaces only. `ascii` treats every
# character beyond ASCII as part of a word; the punctuation of ASCII has to be listed.
_TOKENIZER = """ascii tokenchars '!"#$%&''''()*+,-./:;<=>?@[\\]^_`{|}~'""".replace('"', '""')


class Tables:
    """The SQL and the columns of one schema."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        # A row is read up to its last wanted column: texts come last.
        self._fields = sorted(schema.fields, key=lambda field: field.type is FieldType.TEXT)

    @cached_property
    def created(self) -> list[str]:
        """The statements that create all tables."""
        columns = ", ".join(column for field in self._fields for column in definitions(field))
        return [
            # AUTOINCREMENT: a deleted document's number is never reused, so no old row of `words`
            # can match it.
            "CREATE TABLE documents (number INTEGER PRIMARY KEY AUTOINCREMENT, "
            f"id TEXT NOT NULL UNIQUE, {columns})",
            *self.indexes.values(),
            *words_table([field.name for field in self.schema.texts]),
            *fields_table(self.schema.fields),
            f"PRAGMA application_id = {APPLICATION_ID}",
            f"PRAGMA user_version = {FORMAT}",
        ]

    @cached_property
    def indexes(self) -> dict[str, str]:
        """The statements that create the indexes of `documents`, by the name of the index."""
        selective = ((field,) for field in self.schema.fields if field.selective)
        order = tuple(self.schema.by_name[sort.field] for sort in self.schema.order)
        found = {}
        for fields in (order, *selective):
            if fields:
                name = "by_" + "_and_".join(field.name for field in fields)
                columns = ", ".join(quoted(searched(field)) for field in fields)
                found[name] = f"CREATE INDEX {quoted(name)} ON documents ({columns})"
        if counted := counted_index(self.schema):
            columns = _names(["number", *_counted(self.schema)])
            found[counted] = f"CREATE INDEX {quoted(counted)} ON documents ({columns})"
        return found

    @cached_property
    def insert(self) -> str:
        """The statement that creates a document, unless its id exists, and returns its number."""
        columns = ["id", *(name for field in self._fields for name in column_names(field))]
        return (
            f"INSERT INTO documents ({_names(columns)}) VALUES ({_marks(columns)}) "  # noqa: S608 - safe names
            "ON CONFLICT (id) DO NOTHING RETURNING number"
        )

    @cached_property
    def insert_words(self) -> str:
        """The statement that adds the words of a document."""
        columns = [field.name for field in self.schema.texts]
        return f"INSERT INTO words (rowid, {_names(columns)}) VALUES (?, {_marks(columns)})"  # noqa: S608

    @cached_property
    def select_by_ids(self) -> str:
        """The statement that selects the documents of a list of ids in JSON: see `document`."""
        return f"{self._select} WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608 - safe names

    @cached_property
    def select_by_number(self) -> str:
        """The statement that selects the document of a number: see `document`."""
        return f"{self._select} WHERE number = ?"

    @cached_property
    def _select(self) -> str:
        return f"SELECT {_names(['id', *(field.name for field in self._fields)])} FROM documents"  # noqa: S608 - safe names

    def row(self, document: Document) -> list[Column]:
        """Return the columns of a document, in the order of `insert`."""
        found: list[Column] = [document.id]
        for field in self._fields:
            value = document.values.get(field.name)
            found.append(_stored(field, value))
            if field.type is FieldType.DATE:
                found.append(day(document.text(field.name)))
        return found

    def words(self, document: Document) -> list[str]:
        """Return the words of each text field, in the order of `insert_words`."""
        return [spaced(document.text(field.name)) for field in self.schema.texts]

    def document(self, row: Sequence[Column]) -> Document:
        """Return the document of a selected row."""
        id, *columns = row
        values = {
            field.name: _loaded(field, column)
            for field, column in zip(self._fields, columns, strict=True)
            if column is not None
        }
        return Document(str(id), values)


def counted_index(schema: Schema) -> str:
    """Return the name of the index that has the values of the counted fields of each document.

    Empty if no field is counted.
    """
    return "_and_".join(["by_number", *counted]) if (counted := _counted(schema)) else ""


def definitions(field: Field) -> list[str]:
    """Return the definitions of a field's columns."""
    affinity = AFFINITIES.get(field.type, "TEXT")
    return [f"{quoted(name)} {affinity}" for name in column_names(field)]


def column_names(field: Field) -> list[str]:
    """Return the columns of a field."""
    return list(dict.fromkeys([field.name, searched(field)]))


def searched(field: Field) -> str:
    """Return the column that conditions on a field compare: of dates, that of valid ones."""
    return f"{field.name}:day" if field.type is FieldType.DATE else field.name


def quoted(name: str) -> str:
    """Return a name that SQL does not take for one of its keywords."""
    return f'"{name}"'


def words_table(texts: Sequence[str]) -> list[str]:
    """Return the statement that creates the table of words; none if no field has any."""
    if not texts:
        return []
    columns = f"{_names(texts)}, content='', tokenize=\"{_TOKENIZER}\""
    return [f"CREATE VIRTUAL TABLE words USING fts5({columns})"]


def fields_table(fields: Iterable[Field]) -> list[str]:
    """Return the statements that create the table of fields."""
    rows = [f"INSERT INTO fields VALUES ('{field.name}', '{field.type}')" for field in fields]  # noqa: S608 - safe names
    return ["CREATE TABLE fields (name TEXT PRIMARY KEY, type TEXT NOT NULL)", *rows]


def _counted(schema: Schema) -> list[str]:
    return [field.name for field in schema.fields if field.counted]


def _names(columns: Iterable[str]) -> str:
    return ", ".join(map(quoted, columns))


def _marks(columns: Sequence[str]) -> str:
    return ", ".join("?" * len(columns))


def _stored(field: Field, value: Json) -> Column:
    if value is None:
        return None
    if field.type in _JSON:
        return msgspec.json.encode(value).decode()
    return value  # type: ignore[return-value]  # `documents.acceptable` has checked its type


def _loaded(field: Field, column: Column) -> Json:
    if field.type in _JSON:
        decoded: Json = msgspec.json.decode(str(column))
        return decoded
    return bool(column) if field.type is FieldType.BOOLEAN else column
