"""Brings an existing file to the fields of this program, in one transaction.

    fields of the file → conflicts are errors → columns of new fields → words of new texts, from all
    documents → indexes → format

A field that this program does not have stays in the file, and is ignored. A process that is killed
leaves the file as it was. Of two processes the second finds the work done.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from indexer.errors import ConfigurationError
from indexer.search.language.schema import Field, FieldType
from indexer.search.language.words import spaced
from indexer.search.sqlite.tables import (
    APPLICATION_ID,
    FORMAT,
    Tables,
    definitions,
    fields_table,
    quoted,
    searched,
    words_table,
)
from indexer.system.loggers import get_logger

DOCUMENTS_A_LINE = 10_000
"""Documents whose words are split between two lines of the log."""

_BATCH = 500

log = get_logger()


def migrate(connection: sqlite3.Connection, path: Path, tables: Tables) -> None:
    """Bring the file up to date, if it is not. Raises ConfigurationError, sqlite3.Error.

    The connection must not be in a transaction.
    """
    check_format(connection, path)
    if _is_current(connection, tables):
        return
    with _transaction(connection):
        # Another process may have done it meanwhile.
        check_format(connection, path)
        if not _is_current(connection, tables):
            _migrate(connection, path, tables)


def check_current(connection: sqlite3.Connection, path: Path, tables: Tables) -> None:
    """Raise ConfigurationError unless this program can read the file without a migration."""
    check_format(connection, path)
    if not _is_current(connection, tables):
        raise ConfigurationError(
            f"{path} is a search index of an older program, and you may not write it: "
            "it is brought up to date when a user who may write it searches it"
        )


def check_format(connection: sqlite3.Connection, path: Path) -> None:
    """Raise ConfigurationError unless this program can read or migrate the file."""
    application, version = _pragma(connection, "application_id"), _format(connection)
    if application != APPLICATION_ID:
        raise ConfigurationError(f"{path} is not a search index: give another file")
    if not 1 <= version <= FORMAT:
        raise ConfigurationError(
            f"{path} is a search index of format {version}, this program has {FORMAT}: "
            "use the program that wrote it, or a newer one"
        )


def stored_fields(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the type of each field in the file."""
    return dict(connection.execute("SELECT name, type FROM fields"))


def stored_texts(connection: sqlite3.Connection) -> list[str]:
    """Return the columns of the table of words, in order."""
    return [name for (name,) in connection.execute("SELECT name FROM pragma_table_info('words')")]


def _is_current(connection: sqlite3.Connection, tables: Tables) -> bool:
    if _format(connection) != FORMAT:
        return False
    there = stored_fields(connection)
    wanted = {field.name: field.type.value for field in tables.schema.fields}
    return wanted.items() <= there.items() and tables.indexes.keys() <= _indexes(connection)


def _migrate(connection: sqlite3.Connection, path: Path, tables: Tables) -> None:
    if _format(connection) == 1:
        _from_format_1(connection, tables)
    there = stored_fields(connection)
    _refuse_conflicts(path, there, tables.schema.fields)
    new = [field for field in tables.schema.fields if field.name not in there]
    for field in new:
        for column in definitions(field):
            connection.execute(f"ALTER TABLE documents ADD COLUMN {column}")
        connection.execute("INSERT INTO fields VALUES (?, ?)", (field.name, field.type.value))
    _split_again(connection, [field.name for field in new if field.type is FieldType.TEXT])
    for name in tables.indexes.keys() - _indexes(connection):
        connection.execute(tables.indexes[name])
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    # A warning: programs of an earlier format can't use the file any more.
    log.warning("index-migrated", path=str(path), fields=[field.name for field in new])


def _from_format_1(connection: sqlite3.Connection, tables: Tables) -> None:
    """Change what format 1 has in another way: one schema, one date, and no table of fields."""
    columns = connection.execute("SELECT name FROM pragma_table_info('documents')")
    names = {name for (name,) in columns}
    known = [field for field in tables.schema.fields if field.name in names]
    for statement in fields_table(known):
        connection.execute(statement)
    for field in known:
        if field.type is FieldType.DATE:
            column = quoted(searched(field))
            connection.execute(f"ALTER TABLE documents RENAME COLUMN published TO {column}")
    for name in _indexes(connection):
        connection.execute(f"DROP INDEX {quoted(name)}")


def _refuse_conflicts(path: Path, there: dict[str, str], fields: tuple[Field, ...]) -> None:
    for field in fields:
        stored = there.get(field.name, field.type)
        if stored != field.type:
            raise ConfigurationError(
                f"{path}: its field {field.name} is of type {stored}, and that of this program is "
                f"{field.type}: import the documents again into a new file, or give the field "
                "another name"
            )


def _split_again(connection: sqlite3.Connection, new: list[str]) -> None:
    """Make the table of words again: FTS5 can't add a column."""
    if not new:
        return
    texts = [*stored_texts(connection), *new]
    connection.execute("DROP TABLE IF EXISTS words")
    for statement in words_table(texts):
        connection.execute(statement)
    columns = ", ".join(map(quoted, texts))
    rows = connection.execute(f"SELECT number, {columns} FROM documents")  # noqa: S608 - safe names
    insert = f"INSERT INTO words (rowid, {columns}) VALUES (?{', ?' * len(texts)})"  # noqa: S608
    [total] = connection.execute("SELECT count(*) FROM documents").fetchone()
    done = 0
    while batch := rows.fetchmany(_BATCH):
        split_rows = ((number, *(spaced(text or "") for text in of)) for number, *of in batch)
        connection.executemany(insert, split_rows)
        done += len(batch)
        if done % DOCUMENTS_A_LINE == 0:
            log.warning("index-migration", documents=done, of=total)


def _indexes(connection: sqlite3.Connection) -> set[str]:
    """Return the names of the indexes that this program or an earlier one has made."""
    made = "SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'by!_%' ESCAPE '!'"
    return {name for (name,) in connection.execute(made)}


def _format(connection: sqlite3.Connection) -> int:
    return _pragma(connection, "user_version")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    (value,) = connection.execute(f"PRAGMA {name}").fetchone()
    return int(value)


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    # Taking the write lock at once can wait; upgrading a read lock would fail instead.
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
