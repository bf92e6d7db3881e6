"""Takes over the database of an existing rss-fetcher: its tables become ours, in one transaction.

survey: what is there, and who else uses it → take_over: all rows are copied, or nothing changes
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field

from sqlalchemy import Connection, func, select, text

from indexer.database import Database, open_database
from indexer.errors import ConfigurationError
from indexer.feeds.existing_tables import (
    has_existing_tables,
    rows_of_existing,
    unknown_columns,
)
from indexer.feeds.models import metadata, stories
from indexer.feeds.store import MIGRATIONS, VERSIONS

NO_LIMIT = 0.0
"""Seconds of a statement: copying millions of rows takes long."""


@dataclass(frozen=True, slots=True)
class Survey:
    """The rows of each table, columns that are not kept, and other connections to the database."""

    rows: dict[str, int]
    left_out: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TakenOver:
    """The rows of each of our tables, and the stories that share the identity of an older one."""

    rows: dict[str, int]
    same_identity: int


def survey(url: str) -> Survey:
    """Look at the database of an rss-fetcher. Raises ConfigurationError if it is none."""
    with (
        closing(open_database(url, make=False)) as database,
        database.reading(NO_LIMIT) as connection,
    ):
        if not has_existing_tables(connection):
            raise ConfigurationError(f"{database}: no tables of an rss-fetcher to take over")
        return Survey(
            rows_of_existing(connection),
            unknown_columns(connection),
            _others(connection) if database.is_postgresql else [],
        )


def take_over(url: str, progress: Callable[[str, int], None]) -> TakenOver:
    """Take over the tables; `progress` is called with a table and its number of rows so far.

    Raises ConfigurationError, StorageError; then nothing has changed.
    """
    with closing(open_database(url, make=False)) as database:
        database.migrate(MIGRATIONS, VERSIONS, NO_LIMIT, progress=progress)
        return _taken(database)


def _taken(database: Database) -> TakenOver:
    with database.reading(NO_LIMIT) as connection:
        rows = {
            table.name: connection.scalar(select(func.count()).select_from(table)) or 0
            for table in metadata.sorted_tables
        }
        same = select(func.count()).where(stories.c.identity.is_(None), stories.c.url.is_not(None))
        return TakenOver(rows, connection.scalar(same) or 0)


def _others(connection: Connection) -> list[str]:
    """The other clients of a PostgreSQL database: program, user and address."""
    statement = text(
        "SELECT concat_ws(' ', nullif(application_name, ''), usename, client_addr) "
        "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
        "AND backend_type = 'client backend' ORDER BY 1"
    )
    return [row or "unknown" for row in connection.scalars(statement)]
