"""Many rows in one statement, which costs a database little more than one row.

PostgreSQL is handed them as one parameter, a JSON text that it takes apart itself; SQLite has no
way to travel, and gets them one by one. The rows of a call all have the same columns.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import (
    JSON,
    Column,
    Connection,
    Table,
    TableValuedAlias,
    Text,
    bindparam,
    cast,
    column,
    func,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from indexer.database import Database

Insert: TypeAlias = postgresql.Insert | sqlite.Insert
Rows: TypeAlias = Sequence[Mapping[str, Any]]


def insert_rows(
    database: Database,
    connection: Connection,
    insert: Insert,
    rows: Rows,
    *returning: Column[Any],
) -> list[tuple[Any, ...]]:
    """Execute an INSERT of `Database.insert` for at least one row, in their order.

    It may say what to do ON CONFLICT. Gives the columns that are `returning`, in no order of
    rows. Raises what the database does, and ValueError for a text that can't be sent.
    """
    parameters: Rows | None = rows
    if database.is_postgresql:
        names = list(rows[0])
        source = _unpacked(insert.table.c, rows)
        insert = insert.from_select(names, select(*(source.c[name] for name in names)))
        parameters = None
    if not returning:
        connection.execute(insert, parameters)
        return []
    return [tuple(row) for row in connection.execute(insert.returning(*returning), parameters)]


def update_rows(
    database: Database, connection: Connection, table: Table, rows: Rows, key: str = "id"
) -> None:
    """Set the other columns of the rows that have these keys; of at least one.

    Raises like `insert_rows`.
    """
    names = [name for name in rows[0] if name != key]
    if database.is_postgresql:
        source = _unpacked(table.c, rows)
        values = {name: source.c[name] for name in names}
        connection.execute(update(table).where(table.c[key] == source.c[key]).values(values))
        return
    # An update's own parameters have the names of the columns.
    parameters = [{f"new_{name}": value for name, value in row.items()} for row in rows]
    statement = update(table).where(table.c[key] == bindparam(f"new_{key}"))
    values = {name: bindparam(f"new_{name}") for name in names}
    connection.execute(statement.values(values), parameters)


def _unpacked(columns: Any, rows: Rows) -> TableValuedAlias:
    """The rows as a table that PostgreSQL reads from one parameter."""
    document = cast(bindparam(None, _json(rows), Text), JSON)
    named = [column(name, columns[name].type) for name in rows[0]]
    return func.json_to_recordset(document).table_valued(*named).render_derived(with_types=True)


def _json(rows: Rows) -> str:
    """Bytes as PostgreSQL reads them, everything else as JSON has it."""
    plain = [
        {
            name: f"\\x{value.hex()}" if isinstance(value, bytes) else value
            for name, value in row.items()
        }
        for row in rows
    ]
    return msgspec.json.encode(plain).decode()
