"""The embedded index: full-text search in one SQLite file, shared by the processes of a machine.

sqlite:///data/index.sqlite3     relative to the working directory
sqlite:////srv/index.sqlite3     an absolute path

The first `add` creates the file. `tables` describes it, and `migration` brings an older one up to
date.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from indexer.errors import ConfigurationError
from indexer.search import Added, Document, Erased, Erasure, FacetValue, Hit, IndexAnswer
from indexer.search.documents import is_same, searchable, write_accepted
from indexer.search.language.query import Query, check_facets, plan
from indexer.search.language.schema import Schema
from indexer.search.language.snippet import Snippets
from indexer.search.language.tree import Tree
from indexer.search.language.words import spaced
from indexer.search.sqlite.facets import counted_values
from indexer.search.sqlite.file import IndexFile
from indexer.search.sqlite.migration import stored_texts
from indexer.search.sqlite.narrowing import narrowed
from indexer.search.sqlite.tables import Column, Tables, quoted
from indexer.text.url_parameters import check_file_parameters

PREFIX = "sqlite:///"


class _Row(NamedTuple):
    """A document, its columns and its words."""

    document: Document
    columns: list[Column]
    words: list[str]


class SQLiteIndex:
    """A full-text index in an SQLite file. Thread-safe."""

    def __init__(self, path: Path, schema: Schema) -> None:
        self._schema = schema
        self._tables = Tables(schema)
        self._file = IndexFile(path, self._tables)

    @classmethod
    def open(cls, url: str, schema: Schema) -> Self:
        """Open the index of a URL. Raises ConfigurationError."""
        path = url[len(PREFIX) :]
        if not url.lower().startswith(PREFIX) or not path or "\x00" in path:
            raise ConfigurationError(f"not {PREFIX}PATH, with three slashes: {url!r}")
        check_file_parameters("the index's URL", url)
        return cls(Path(path).absolute(), schema)

    def add(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Create each document that does not exist yet, all in one transaction."""
        return write_accepted(documents, self._schema, self._create)

    def update(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Replace each document that exists and create the others, all in one transaction."""
        return write_accepted(documents, self._schema, self._replace, last=True)

    def get(self, id: str) -> Document | None:
        """Return the document with that id."""
        return self.find([id]).get(id)

    def find(self, ids: Iterable[str]) -> dict[str, Document]:
        """Return the existing documents of these ids, as of one moment."""
        with self._file.reading() as connection:
            return self._find(connection, ids)

    def search(self, query: Query) -> Iterator[Hit]:
        """Yield hits, best first, of the index's present state: later changes do not show."""
        tree = plan(query, self._schema)
        # Errors come from this call; those of the generator only when it is first read.
        self._file.check()
        return self._hits(tree, query)

    def count(self, query: Query) -> int:
        """Return the number of hits."""
        tree = plan(query, self._schema)
        with self._file.reading() as connection:
            found = narrowed(connection, tree, self._schema, stored_texts(connection))
            return int(connection.execute(found.counted, found.values).fetchone()[0])

    def facets(
        self, query: Query, fields: Sequence[str], size: int = 10
    ) -> dict[str, list[FacetValue]]:
        """Return the most common values of keyword fields among all hits."""
        tree = plan(query, self._schema)
        check_facets(fields, self._schema)
        with self._file.reading() as connection:
            return counted_values(connection, tree, self._schema, fields, size) if fields else {}

    def delete(self, ids: Sequence[str]) -> list[Erased]:
        """Delete documents by id, all in one transaction."""
        self._file.check()
        with self._file.writing() as connection:
            deleted = _delete(connection, [searchable(id) for id in ids])
        return [Erased(Erasure.DELETED if one else Erasure.MISSING) for one in deleted]

    def refresh(self) -> None:
        """Do nothing: changes are visible at once."""

    def limits(self) -> list[str]:
        """Return none."""
        return []

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _create(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        rows = self._rows(documents)
        with self._file.writing() as connection:
            return self._insert_all(connection, rows)

    def _replace(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        rows = self._rows(documents)
        with self._file.writing() as connection:
            existed = _delete(connection, [row.document.id for row in rows])
            self._insert_all(connection, rows)
        return [IndexAnswer(Added.UPDATED if one else Added.CREATED) for one in existed]

    def _rows(self, documents: Sequence[Document]) -> list[_Row]:
        # Splitting texts takes most of the time, so it comes before the lock.
        tables = self._tables
        return [_Row(one, tables.row(one), tables.words(one)) for one in documents]

    def _insert_all(
        self, connection: sqlite3.Connection, rows: Sequence[_Row]
    ) -> list[IndexAnswer]:
        """Create the documents whose ids do not exist."""
        # All documents, then all words: SQLite may undo a statement that writes a document by
        # itself, so before each of them FTS5 writes a segment of the words that it has gathered.
        numbers = [self._insert(connection, row) for row in rows]
        created = [(number, row) for number, row in zip(numbers, rows, strict=True) if number]
        if words := [(number, *row.words) for number, row in created if row.words]:
            connection.executemany(self._tables.insert_words, words)
        return [
            IndexAnswer(Added.CREATED) if number else self._duplicate(connection, row)
            for number, row in zip(numbers, rows, strict=True)
        ]

    def _insert(self, connection: sqlite3.Connection, row: _Row) -> int | None:
        """Create a document without its words; return its number, or None if its id exists."""
        inserted = connection.execute(self._tables.insert, row.columns).fetchone()
        return inserted[0] if inserted else None

    def _duplicate(self, connection: sqlite3.Connection, row: _Row) -> IndexAnswer:
        stored = self._find(connection, [row.document.id])[row.document.id]
        return IndexAnswer(Added.DUPLICATE, same=is_same(row.document, stored.values, self._schema))

    def _find(self, connection: sqlite3.Connection, ids: Iterable[str]) -> dict[str, Document]:
        # One parameter for all ids: SQLite limits the number of parameters.
        wanted = json.dumps(sorted({searchable(id) for id in ids}))
        rows = connection.execute(self._tables.select_by_ids, [wanted])
        found = map(self._tables.document, rows)
        return {document.id: document for document in found}

    def _hits(self, tree: Tree, query: Query) -> Iterator[Hit]:
        field = self._schema.snippet
        snippets = Snippets(tree, field)
        with self._file.reading() as connection:
            texts = stored_texts(connection)
            search = narrowed(connection, tree, self._schema, texts, query.sort)
            # The search selects numbers only: sorting whole documents would need their memory.
            for number, score in connection.execute(search.limited(query.limit), search.values):
                row = connection.execute(self._tables.select_by_number, [number]).fetchone()
                document = self._tables.document(row)
                yield Hit(document, score, snippets.of(document.text(field)))


def _delete(connection: sqlite3.Connection, ids: Iterable[str]) -> list[bool]:
    """Delete documents and their words; for each id, return whether it existed."""
    texts = stored_texts(connection)
    columns = "".join(f", {quoted(name)}" for name in texts)
    delete = f"DELETE FROM documents WHERE id = ? RETURNING number{columns}"  # noqa: S608 - safe names
    # All documents, then all words, as in `_insert_all`.
    deleted = [connection.execute(delete, [id]).fetchone() for id in ids]
    if texts:
        # FTS5 without content does not know the words of a row: to remove them it has to be given
        # them.
        connection.executemany(
            f"INSERT INTO words (words, rowid{columns}) "  # noqa: S608 - as above
            f"VALUES ('delete', ?{', ?' * len(texts)})",
            ((row[0], *(spaced(text or "") for text in row[1:])) for row in deleted if row),
        )
    return [row is not None for row in deleted]
