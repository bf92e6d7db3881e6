"""The tables of an existing rss-fetcher (feeds.md 2): found, checked, and set aside.

A database has them if it has a table `feeds`, and not the table with the version of ours.
"""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import Column, Connection, MetaData, Table, func, inspect, select, text
from sqlalchemy.types import NullType

from indexer.errors import ConfigurationError
from indexer.feeds.store import VERSIONS

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "feeds": (
        *("id", "sources_id", "name", "url", "active", "created_at", "last_fetch_attempt"),
        *("last_fetch_success", "last_fetch_hash", "last_fetch_failures", "http_etag"),
        *("http_last_modified", "next_fetch_attempt", "queued", "system_enabled"),
        *("update_minutes", "http_304", "system_status", "last_new_stories", "rss_title"),
        "poll_minutes",
    ),
    "stories": (
        *("id", "feed_id", "sources_id", "url", "normalized_url", "guid", "published_at"),
        *("fetched_at", "domain", "title", "normalized_title", "normalized_title_hash"),
    ),
    "story_refs": ("story_id", "feed_id", "seen_at"),
    "fetch_events": ("id", "feed_id", "event", "note", "created_at"),
    "properties": ("section", "key", "value"),
}
"""The tables and their columns."""

_ASIDE = "taken_over_"


def has_existing_tables(connection: Connection) -> bool:
    """Whether the database is that of an rss-fetcher, not taken over yet."""
    tables = inspect(connection).get_table_names()
    return "feeds" in tables and VERSIONS not in tables


def rows_of_existing(connection: Connection) -> dict[str, int]:
    """Count the rows of each table. Raises ConfigurationError if a table or column is missing."""
    check_existing(connection)
    tables = (Table(name, MetaData()) for name in COLUMNS)
    return {
        table.name: connection.scalar(select(func.count()).select_from(table)) or 0
        for table in tables
    }


def unknown_columns(connection: Connection) -> list[str]:
    """The columns that a take-over would not keep, as `table.column`."""
    found = inspect(connection)
    return [
        f"{table}.{column['name']}"
        for table, known in COLUMNS.items()
        for column in found.get_columns(table)
        if column["name"] not in known
    ]


def check_existing(connection: Connection) -> None:
    """Raise ConfigurationError if a table or a column of feeds.md 2 is missing."""
    found = inspect(connection)
    tables = found.get_table_names()
    missing = [name for name in COLUMNS if name not in tables]
    for table, known in COLUMNS.items():
        if table not in missing:
            there = {column["name"] for column in found.get_columns(table)}
            missing += [f"{table}.{name}" for name in known if name not in there]
    if missing:
        raise ConfigurationError(
            "not the tables of an rss-fetcher, or of one that is too old; missing: "
            + ", ".join(missing)
        )


def set_aside(connection: Connection) -> dict[str, Table]:
    """Rename the tables, and free the names of their indexes and sequences.

    Returns them by their first names; their columns give the values that the driver reads.
    """
    for name in COLUMNS:
        if connection.dialect.name == "postgresql":
            _rename_parts(connection, name)
        else:
            _drop_indexes(connection, name)
        connection.execute(text(f"ALTER TABLE {name} RENAME TO {_ASIDE}{name}"))
    return {
        name: Table(f"{_ASIDE}{name}", MetaData(), *(Column(each, NullType()) for each in columns))
        for name, columns in COLUMNS.items()
    }


def last_given_id(connection: Connection, aside: Table) -> int:
    """The highest id that a table has given, also to rows that were deleted since."""
    highest = connection.scalar(select(func.max(aside.c.id))) or 0
    if connection.dialect.name == "postgresql":
        given = connection.scalar(
            text("SELECT pg_sequence_last_value(pg_get_serial_sequence(:table, 'id')::regclass)"),
            {"table": aside.name},
        )
    else:
        has = inspect(connection).has_table("sqlite_sequence")
        query = text("SELECT seq FROM sqlite_sequence WHERE name = :table")
        given = connection.scalar(query, {"table": aside.name}) if has else 0
    return max(highest, given or 0)


def _rename_parts(connection: Connection, table: str) -> None:
    indexes = connection.scalars(
        text(
            "SELECT indexname FROM pg_indexes "
            "WHERE schemaname = current_schema() AND tablename = :table"
        ),
        {"table": table},
    )
    for index in indexes.all():
        _rename(connection, "INDEX", index)
    sequences = connection.scalars(
        text(
            "SELECT c.relname FROM pg_depend d JOIN pg_class c ON c.oid = d.objid "
            "WHERE d.refobjid = to_regclass(:table) AND c.relkind = 'S'"
        ),
        {"table": table},
    )
    for sequence in sequences.all():
        _rename(connection, "SEQUENCE", sequence)


def _rename(connection: Connection, kind: str, name: str) -> None:
    quote = connection.dialect.identifier_preparer.quote
    # Names of PostgreSQL have at most 63 bytes.
    new = f"{_ASIDE}{name}"[:63]
    connection.execute(text(f"ALTER {kind} {quote(name)} RENAME TO {quote(new)}"))


def _drop_indexes(connection: Connection, table: str) -> None:
    """Drop the indexes of a table that have a name of their own, in SQLite."""
    query = text(
        "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = :t AND sql > ''"
    )
    for index in connection.scalars(query, {"t": table}).all():
        connection.execute(text(f'DROP INDEX "{index}"'))
