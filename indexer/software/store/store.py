"""The database of software metadata: rows are inserted, or replace those with the same key."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any, Final, TypeVar

from sqlalchemy import ColumnElement, Connection, Table, and_, select

from indexer.database import Database, open_migrated
from indexer.database.bulk import insert_rows
from indexer.errors import DuplicateId, RefusedValue
from indexer.software.store.models import TABLES, indexer_configuration
from indexer.software.store.program_record import ProgramRecord
from indexer.software.store.rows import (
    ContentMetadataRow,
    DirectoryMetadataRow,
    ExtrinsicMetadataRow,
    MetadataRow,
    OriginMetadataRow,
)
from indexer.software.store.values import says_something, storable
from indexer.text.chunks import chunks

MIGRATIONS: Final = "indexer.software.store.migrations"
VERSIONS: Final = "software_version"

MAX_KEY_BYTES: Final = 2600
"""The most bytes of a row's key: PostgreSQL allows 2,704 in a row of an index."""

IDS_AT_ONCE: Final = 10_000
"""The most ids of a statement: SQLite limits the number of parameters."""

R = TypeVar("R", ContentMetadataRow, DirectoryMetadataRow, OriginMetadataRow, ExtrinsicMetadataRow)
Values = dict[str, Any]


class SoftwareStore:
    """The tables of software metadata. Thread-safe. Its methods raise StorageError."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @classmethod
    def open(cls, url: str, *, make: bool = True) -> "SoftwareStore":
        """Open the database of a URL, as `open_migrated` does."""
        return cls(open_migrated(url, MIGRATIONS, VERSIONS, make=make))

    def configuration(self, record: ProgramRecord) -> int:
        """Return the number of a record; the same record always has the same number."""
        values = {
            "tool_name": record.tool_name,
            "tool_version": record.tool_version,
            "tool_configuration": storable(record.tool_configuration),
        }
        columns = indexer_configuration.c
        same = and_(*(columns[name] == value for name, value in values.items()))
        wanted = select(columns.id).where(same)
        with self.database.reading() as connection:
            found = connection.scalar(wanted)
        if found is None:
            with self.database.writing() as connection:
                insert = self.database.insert(indexer_configuration).values(values)
                connection.execute(insert.on_conflict_do_nothing())
                found = connection.scalar(wanted)
        return int(found or 0)

    def records(self, numbers: Iterable[int]) -> dict[int, ProgramRecord]:
        """Return the records of these numbers."""
        columns = indexer_configuration.c
        query = select(indexer_configuration).where(columns.id.in_(sorted(set(numbers))))
        with self.database.reading() as connection:
            return {
                row.id: ProgramRecord(row.tool_name, row.tool_version, row.tool_configuration)
                for row in connection.execute(query)
            }

    def add(self, rows: Iterable[MetadataRow]) -> dict[str, list[str]]:
        """Store rows in one transaction; return the ids of new and changed rows by table.

        A row that is there already, with equal values, is not written. Documents that state
        nothing are stored as None. Raises DuplicateId if two rows have one key, RefusedValue if
        the database refuses one of them: none is stored.
        """
        found: dict[Table, dict[tuple[Any, ...], Values]] = {}
        for row in rows:
            table = TABLES[type(row)]
            values = _values(row)
            key = tuple(values[column.name] for column in table.primary_key)
            if key in found.setdefault(table, {}):
                raise DuplicateId(f"two rows of {table.name} have the key {key!r:.200}")
            found[table][key] = values
        if not found:
            return {}
        with self.database.writing() as connection:
            # Tables and rows in one order: programs that insert in different ones would deadlock.
            return {
                table.name: self._upsert(connection, table, found[table])
                for table in TABLES.values()
                if table in found
            }

    def missing(self, kind: type[R], keys: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
        """Return those (id, number of a record) without a row, in their order."""
        wanted = dict.fromkeys(keys)
        there = {
            (row.id, row.indexer_configuration_id)
            for row in self.get(kind, [id for id, _ in wanted])
        }
        return [key for key in wanted if key not in there]

    def get(self, kind: type[R], ids: Iterable[str], record: int | None = None) -> list[R]:
        """Return the rows of these ids, of all records or of one, in the order of their keys."""
        table = TABLES[kind]
        found: list[R] = []
        with self.database.reading() as connection:
            for some in chunks(sorted(set(ids)), IDS_AT_ONCE):
                condition: ColumnElement[bool] = self.database.among(table.c.id, some)
                if record is not None:
                    condition &= table.c.indexer_configuration_id == record
                found += read_rows(connection, kind, condition)
        return found

    def close(self) -> None:
        """Close the connections."""
        self.database.close()

    def _upsert(
        self, connection: Connection, table: Table, rows: dict[tuple[Any, ...], Values]
    ) -> list[str]:
        insert = self.database.insert(table)
        others = {each.name: insert.excluded[each.name] for each in table.c if not each.primary_key}
        changed = [table.c[name].is_distinct_from(new) for name, new in others.items()]
        differs = changed[0]
        for each in changed[1:]:
            differs |= each
        upsert = insert.on_conflict_do_update(
            index_elements=[*table.primary_key], set_=others, where=differs
        )
        ordered = [rows[key] for key in sorted(rows)]
        written = insert_rows(self.database, connection, upsert, ordered, table.c.id)
        return sorted({id for (id,) in written})


def read_rows(connection: Connection, kind: type[R], condition: ColumnElement[bool]) -> list[R]:
    """Return the rows that meet a condition, in the order of their keys."""
    table = TABLES[kind]
    # The order of the numbers of records is that of their first use.
    query = select(table).where(condition)
    found = [_row(kind, row._mapping) for row in connection.execute(query)]
    # Sorted here: the database may have the order of a language.
    return sorted(found, key=lambda row: _key(table, row))


def _key(table: Table, row: R) -> tuple[Any, ...]:
    return tuple(getattr(row, column.name) for column in table.primary_key)


def _row(kind: type[R], values: Any) -> R:
    # PostgreSQL returns the keys of a document in an order of its own.
    found = {each.name: storable(values[each.name]) for each in fields(kind)}
    listed = {name: tuple(each) for name, each in found.items() if isinstance(each, list)}
    return kind(**found | listed)


def _values(row: MetadataRow) -> Values:
    """The columns of a row. Raises RefusedValue."""
    found = {each.name: storable(getattr(row, each.name)) for each in fields(row)}
    if not says_something(row.metadata):
        found["metadata"] = None
    table = TABLES[type(row)]
    length = sum(len(str(found[column.name]).encode()) for column in table.primary_key)
    if not found["id"] or length > MAX_KEY_BYTES:
        raise RefusedValue(f"a row of {table.name} has a key of {length:,} bytes: 1 to 2,600")
    return found
