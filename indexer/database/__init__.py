"""SQL databases, for what is counted and remembered: SQLAlchemy's tables in the one of a URL.

sqlite:///data/pipeview.sqlite3                  one file, many processes of one machine
postgresql://user:password@host:5432/name        PostgreSQL 15 or newer

Tables are made and changed by Alembic migrations: a package with an `env.py` that calls
`run_migrations`, and a module for each step in its `versions`.
"""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Engine,
    Table,
    any_,
    bindparam,
    create_engine,
    event,
    make_url,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    IntegrityError,
    SQLAlchemyError,
    StatementError,
)

from indexer.errors import ConfigurationError, RefusedValue, StorageError
from indexer.files.locks import FileLock
from indexer.text.cleaning import one_line

if TYPE_CHECKING:
    from alembic.config import Config

BUSY_SECONDS = 60.0
"""How long to wait for other processes' transactions on a file."""

STATEMENT_SECONDS = 600.0
"""How long PostgreSQL works at one statement, before it gives up."""

OLDEST_POSTGRESQL = 15
"""Earlier ones have no NULLS NOT DISTINCT."""

_CONNECT_SECONDS, _SILENCE_SECONDS = 10, 60

_WHY_LENGTH = 300

_ONE_MOMENT = text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")

_migrating = threading.Lock()


class Database:
    """A database and its pool of connections. Thread-safe. Its methods raise StorageError."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def __str__(self) -> str:
        """Its URL, without the password, nor the parameters: there may be one among them."""
        return self._engine.url.set(query={}).render_as_string()

    @property
    def is_postgresql(self) -> bool:
        """Whether it is PostgreSQL; else SQLite."""
        return self._engine.dialect.name == "postgresql"

    def insert(self, table: Table) -> postgresql.Insert | sqlite.Insert:
        """An INSERT that may say what to do ON CONFLICT."""
        return postgresql.insert(table) if self.is_postgresql else sqlite.insert(table)

    def among(self, column: ColumnElement[Any], values: Sequence[Any]) -> ColumnElement[bool]:
        """The condition that a column has one of many values: one parameter where that can be."""
        if self.is_postgresql:
            many = bindparam(None, list(values), type_=postgresql.ARRAY(column.type))
            return column == any_(many)
        return column.in_(values)

    def is_alone(self, connection: Connection, name: str) -> bool:
        """Like `wait_for_others`, but without waiting: whether it is the only one now."""
        if not self.is_postgresql:
            return True
        statement = text("SELECT pg_try_advisory_xact_lock(hashtext(:name))")
        return bool(connection.scalar(statement, {"name": name}))

    def wait_for_others(self, connection: Connection, name: str) -> None:
        """Until the transaction ends, be the only one that has said this name.

        On SQLite nobody else writes as it is.
        """
        if self.is_postgresql:
            statement = text("SELECT pg_advisory_xact_lock(hashtext(:name))")
            connection.execute(statement, {"name": name})

    def reading(self, seconds: float = STATEMENT_SECONDS) -> AbstractContextManager[Connection]:
        """A transaction that sees one moment.

        On PostgreSQL nothing can be written in it, no statement of it takes longer than so many
        seconds, and it ends if nothing is asked for as long.
        """
        return self._transaction(seconds, writing=False)

    def writing(self, seconds: float = STATEMENT_SECONDS) -> AbstractContextManager[Connection]:
        """A transaction: all that is done in it is on disk when it ends, or nothing is."""
        return self._transaction(seconds, writing=True)

    def migrate(self, package: str, versions: str) -> None:
        """Bring the tables of a package of migrations up to date; any number may try at once.

        `versions` names the table that remembers how far they are: one a package. Raises
        ConfigurationError if the tables are those of a newer program.
        """
        from alembic.command import upgrade  # noqa: PLC0415 - only where it is used
        from alembic.util import CommandError  # noqa: PLC0415

        config = _alembic(package)
        # One at a time in this process, too: Alembic has one `context` for all threads.
        with _migrating, self.writing() as connection:
            self._check_version(connection)
            self.wait_for_others(connection, versions)
            config.attributes.update(connection=connection, versions=versions)
            try:
                upgrade(config, "head")
            except CommandError as error:
                raise ConfigurationError(
                    f"{self}: its tables are not those of this program, which may be older: {error}"
                ) from error

    def check_migrated(self, package: str, versions: str) -> None:
        """See that the tables are as `migrate` makes them; nothing is changed.

        Raises ConfigurationError if they are not.
        """
        from alembic.runtime.migration import MigrationContext  # noqa: PLC0415 - as above
        from alembic.script import ScriptDirectory  # noqa: PLC0415

        wanted = ScriptDirectory.from_config(_alembic(package)).get_heads()
        with self.reading() as connection:
            context = MigrationContext.configure(connection, opts={"version_table": versions})
            there = context.get_current_heads()
        if set(there) != set(wanted):
            raise ConfigurationError(
                f"{self}: its tables are missing, or not those of this program"
            )

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    @contextmanager
    def _transaction(self, seconds: float, *, writing: bool) -> Iterator[Connection]:
        with ExitStack() as stack:
            stack.enter_context(self._explained())
            if writing and not self.is_postgresql:
                stack.enter_context(self._turn())
            connection = stack.enter_context(self._engine.connect())
            stack.enter_context(connection.execution_options(writing=writing).begin())
            if self.is_postgresql:
                millis = f"{round(seconds * 1000)}"
                if not writing:
                    connection.execute(_ONE_MOMENT)
                    _set(connection, "idle_in_transaction_session_timeout", millis)
                _set(connection, "statement_timeout", millis)
            yield connection

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Keep other writers of this program's kind out of an SQLite file.

        SQLite lets writers that wait for its own lock sleep, longer and longer: under load some
        never get it, and fail after `BUSY_SECONDS`. The kernel wakes them when this lock is free.
        """
        try:
            # Not the database's own file: to close it would drop the locks that SQLite has on it.
            lock = FileLock(Path(f"{self._engine.url.database}-lock"))
        except OSError as error:
            raise StorageError(f"{self}: {error.strerror}") from error
        with closing(lock), lock:
            yield

    def _check_version(self, connection: Connection) -> None:
        version = connection.dialect.server_version_info or (0,)
        if self.is_postgresql and version < (OLDEST_POSTGRESQL,):
            raise ConfigurationError(f"{self}: PostgreSQL {OLDEST_POSTGRESQL} or newer is needed")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error) as error:
            why = error.orig if isinstance(error, DBAPIError) else error
            kind = RefusedValue if _is_refusal(error) else StorageError
            raise kind(f"{self}: {one_line(str(why), _WHY_LENGTH)}") from error


def open_database(url: str, *, make: bool = True) -> Database:
    """The database of a URL; nothing is connected yet. Raises ConfigurationError.

    A file that isn't there is made when it is used, or, if `make` is false, is an error.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        # Errors don't quote the URL: there may be a password in it.
        raise ConfigurationError(
            "not the URL of a database: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME, "
            "with special characters %-escaped"
        ) from None
    match parsed.drivername:
        case "sqlite":
            return Database(_sqlite(parsed, make=make))
        case "postgresql" | "postgresql+psycopg" | "postgres":
            return Database(_postgresql(parsed))
        case other:
            raise ConfigurationError(
                f"no database for {other!r}: URLs start with sqlite:/// or postgresql://"
            )


def run_migrations() -> None:
    """What the `env.py` of a package of migrations does: run those that are missing."""
    from alembic import context  # noqa: PLC0415 - there is one only while Alembic runs

    attributes = context.config.attributes
    context.configure(connection=attributes["connection"], version_table=attributes["versions"])
    context.run_migrations()


def _alembic(package: str) -> "Config":
    from alembic.config import Config  # noqa: PLC0415 - only where it is used

    parent, _, name = package.rpartition(".")
    config = Config()
    config.set_main_option("script_location", f"{parent}:{name}")
    return config


def _postgresql(url: URL) -> Engine:
    known = {
        "connect_timeout": f"{_CONNECT_SECONDS}",
        "tcp_user_timeout": f"{_SILENCE_SECONDS * 1000}",
    }
    url = url.set(drivername="postgresql+psycopg", query={**known, **url.query})
    return create_engine(url, pool_pre_ping=True, hide_parameters=True)


def _sqlite(url: URL, *, make: bool) -> Engine:
    if not url.database or url.database == ":memory:":
        raise ConfigurationError("a database has to be in a file: sqlite:///FILE")
    file = Path(url.database)
    try:
        if make:
            file.parent.mkdir(parents=True, exist_ok=True)
        elif not file.exists():
            raise ConfigurationError(f"there is no database {file}")
    except OSError as error:
        raise ConfigurationError(f"can't use {url.database} for a database: {error}") from error
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS}, hide_parameters=True)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: sqlite3.Connection, _record: Any) -> None:
    # Transactions are begun by us, below: Python's own would begin with the first change only.
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")
    # Readers and a writer side by side. It stays so: nothing is lost if another is just doing it.
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = WAL")


def _begin(connection: Connection) -> None:
    """A transaction that may write takes the lock at once: it could not get it later."""
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _is_refusal(error: Exception) -> bool:
    """Whether it is the value's fault, and not the database's."""
    never_sent = isinstance(error, StatementError) and not isinstance(error, DBAPIError)
    return never_sent or isinstance(error, DataError | IntegrityError)


def _set(connection: Connection, name: str, value: str) -> None:
    """A setting of PostgreSQL, for this transaction."""
    connection.execute(
        text("SELECT set_config(:name, :value, true)"), {"name": name, "value": value}
    )
