"""Many rows in one statement, which takes PostgreSQL little longer than one row.

PostgreSQL gets the rows as one parameter, a JSON text that it parses itself. SQLite gets them one
by one, as it is no server to which they have to travel. The rows of a call have the same columns.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from sqlalchemy import (
    JSON,
    Column,
    Connection,
    LargeBinary,
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

from indexer.database import Database

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

Insert: TypeAlias = "postgresql.Insert | sqlite.Insert"
Rows: TypeAlias = Sequence[dict[str, Any]]


def insert_rows(
    database: Database,
    connection: Connection,
    insert: Insert,
    rows: Rows,
    *returning: Column[Any],
) -> list[tuple[Any, ...]]:
    """Execute an INSERT of `Database.insert`, with ON CONFLICT or without, for at least one row.

    Rows are inserted in their order. Returns the `returning` columns of the rows, in any order.
    Raises errors of the database, and ValueError for text that is not Unicode.
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
    """Update the rows with the `key` of each given row, at least one, to its other columns.

    Raises like `insert_rows`.
    """
    names = [name for name in rows[0] if name != key]
    if database.is_postgresql:
        source = _unpacked(table.c, rows)
        values = {name: source.c[name] for name in names}
        connection.execute(update(table).where(table.c[key] == source.c[key]).values(values))
        return
    # Prefixed, as SQLAlchemy's UPDATE uses the names of the columns for its own parameters.
    parameters = [{f"new_{name}": value for name, value in row.items()} for row in rows]
    statement = update(table).where(table.c[key] == bindparam(f"new_{key}"))
    values = {name: bindparam(f"new_{name}") for name in names}
    connection.execute(statement.values(values), parameters)


def _unpacked(columns: Any, rows: Rows) -> TableValuedAlias:
    """A table expression that PostgreSQL reads from one parameter with all rows."""
    named = [column(name, columns[name].type) for name in rows[0]]
    binary = [each.name for each in named if isinstance(each.type, LargeBinary)]
    document = cast(bindparam(None, _json(rows, binary), Text), JSON)
    return func.json_to_recordset(document).table_valued(*named).render_derived(with_types=True)


def _json(rows: Rows, binary: Sequence[str]) -> str:
    """The rows as JSON, with the columns of bytes in the hexadecimal format of PostgreSQL."""
    if binary:
        rows = [{**row, **{name: _hex(row[name]) for name in binary}} for row in rows]
    return msgspec.json.encode(rows).decode()


def _hex(value: bytes | None) -> str | None:
    return None if value is None else f"\\x{value.hex()}"
