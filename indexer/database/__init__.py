"""SQL databases: SQLAlchemy's tables in SQLite or PostgreSQL. A URL chooses the backend.

sqlite:///data/pipeview.sqlite3                  one file, many processes of one machine
postgresql://user:password@host:5432/name        PostgreSQL 15 or newer

Alembic migrations make and change the tables: a package with an `env.py` that calls
`run_migrations`, and a module for each step in its `versions`. Nothing here knows a table.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    ARRAY,
    URL,
    ColumnElement,
    Connection,
    Dialect,
    Engine,
    LargeBinary,
    Table,
    any_,
    bindparam,
    create_engine,
    event,
    make_url,
    text,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    IntegrityError,
    SQLAlchemyError,
    StatementError,
)
from sqlalchemy.pool import NullPool
from sqlalchemy.types import UserDefinedType

from indexer.database.versions import newest, stored
from indexer.errors import AccessDenied, ConfigurationError, RefusedValue, StorageError
from indexer.files.locks import FileLock
from indexer.files.sqlite_reading import may_write, obstacle, read_only_uri, unchanged
from indexer.text.cleaning import one_line
from indexer.text.url_parameters import check_file_parameters, check_parameters

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

BUSY_SECONDS = 60.0
"""How long SQLite waits for transactions of programs that don't take our lock: its shell."""

STATEMENT_SECONDS = 600.0
"""How long PostgreSQL may work at one statement."""

OLDEST_POSTGRESQL = 15
"""The first version with NULLS NOT DISTINCT."""

_CONNECT_SECONDS, _SILENCE_SECONDS = 10, 60

_WHY_LENGTH = 300
_WHAT = "the database's URL"

_ONE_MOMENT = text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")

_migrating = threading.Lock()


class _BinaryArray(UserDefinedType[Sequence[bytes]]):
    """An array of PostgreSQL that is sent as text: psycopg takes longer to escape each of its
    values in Python than PostgreSQL takes to find the row."""

    cache_ok = True
    render_bind_cast = True

    def get_col_spec(self, **_: Any) -> str:
        return "BYTEA[]"

    def bind_processor(self, dialect: Dialect) -> Callable[[Sequence[bytes] | None], str]:  # noqa: ARG002 - the signature
        return _array_text


def _array_text(values: Sequence[bytes] | None) -> str:
    return "{" + ",".join([f'"\\\\x{value.hex()}"' for value in values or ()]) + "}"


class Database:
    """A database and its pool of connections. Thread-safe. Its methods raise StorageError."""

    def __init__(self, engine: Engine, read_only: Path | None = None) -> None:
        """`read_only`: the file of an SQLite database that this user may not write."""
        self._engine = engine
        self._read_only = read_only

    def __str__(self) -> str:
        """The URL without password and parameters, among which there may be a password."""
        return self._engine.url.set(query={}).render_as_string()

    @property
    def is_postgresql(self) -> bool:
        """Whether the database is PostgreSQL; otherwise it is SQLite."""
        return self._engine.dialect.name == "postgresql"

    def insert(self, table: Table) -> "postgresql.Insert | sqlite.Insert":
        """An INSERT statement of the dialect, which may get an ON CONFLICT clause."""
        if self.is_postgresql:
            from sqlalchemy.dialects import postgresql  # noqa: PLC0415 - slow, and not for SQLite

            return postgresql.insert(table)
        return sqlite.insert(table)

    def among(self, column: ColumnElement[Any], values: Sequence[Any]) -> ColumnElement[bool]:
        """The condition that a column has one of many values."""
        if self.is_postgresql:
            # One parameter, however many values: the statement's text and plan stay the same.
            is_binary = isinstance(column.type, LargeBinary)
            type = _BinaryArray() if is_binary else ARRAY(column.type)
            return column == any_(bindparam(None, list(values), type_=type))
        return column.in_(values)

    def try_lock(self, connection: Connection, name: str) -> bool:
        """Like `lock`, without waiting: whether the lock was free, and is now held."""
        if not self.is_postgresql:
            return True
        statement = text("SELECT pg_try_advisory_xact_lock(hashtext(:name))")
        return bool(connection.scalar(statement, {"name": name}))

    def lock(self, connection: Connection, name: str) -> None:
        """Wait for the lock of this name, and hold it until the writing transaction ends."""
        # On SQLite a writing transaction excludes all others anyway.
        if self.is_postgresql:
            statement = text("SELECT pg_advisory_xact_lock(hashtext(:name))")
            connection.execute(statement, {"name": name})

    def reading(self, seconds: float = STATEMENT_SECONDS) -> AbstractContextManager[Connection]:
        """A transaction for reading: all its statements see the same state of the database.

        PostgreSQL refuses writes in it, and ends it after so many seconds of one statement, or
        without a statement.
        """
        return self._transaction(seconds, writing=False)

    def writing(self, seconds: float = STATEMENT_SECONDS) -> AbstractContextManager[Connection]:
        """A transaction for reading and writing: when it ends all its changes are on disk."""
        return self._transaction(seconds, writing=True)

    def migrate(
        self,
        package: str,
        versions: str,
        seconds: float = STATEMENT_SECONDS,
        **attributes: object,
    ) -> None:
        """Run the missing migrations of a package. Several processes may do so at once.

        `versions` is the name of the table with the package's version; `seconds` as in `writing`,
        0 for no limit. Migrations find the `attributes` in their `context.config.attributes`.
        Raises ConfigurationError if the tables are those of a newer program.
        """
        # One thread at a time: Alembic has one `context` for all threads of a process.
        with _migrating, self.writing(seconds) as connection:
            self._check_version(connection)
            self.lock(connection, versions)
            if stored(connection, versions) != newest(package):
                self._upgrade(package, connection=connection, versions=versions, **attributes)

    def check_migrated(self, package: str, versions: str) -> None:
        """Check that the tables have the version that `migrate` makes; change nothing.

        Raises ConfigurationError if they have another version, or are missing.
        """
        with self.reading() as connection:
            found = stored(connection, versions)
        if found != newest(package):
            raise ConfigurationError(f"{self}: its tables are missing, or have another version")

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    @contextmanager
    def _transaction(self, seconds: float, *, writing: bool) -> Iterator[Connection]:
        with ExitStack() as stack:
            stack.enter_context(self._explained())
            if self._read_only:
                if writing:
                    raise AccessDenied(f"{self}: you may not write this file")
                stack.enter_context(unchanged(self._read_only))
            elif writing and not self.is_postgresql:
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
        """Hold the lock of the writers of an SQLite file, in all processes."""
        # Writers that wait for SQLite's own lock sleep, longer and longer: under load some never
        # get it, and fail after BUSY_SECONDS. The kernel wakes them when this lock is released.
        try:
            # Not the database's own file: closing it would drop SQLite's locks on it.
            lock = FileLock(Path(f"{self._engine.url.database}-lock"))
        except OSError as error:
            raise StorageError(f"{self}: {error.strerror}") from error
        with closing(lock), lock:
            yield

    def _upgrade(self, package: str, **attributes: object) -> None:
        from alembic.command import upgrade  # noqa: PLC0415 - slow, and seldom needed
        from alembic.config import Config  # noqa: PLC0415
        from alembic.util import CommandError  # noqa: PLC0415

        parent, _, name = package.rpartition(".")
        config = Config(attributes=attributes)
        config.set_main_option("script_location", f"{parent}:{name}")
        try:
            upgrade(config, "head")
        except CommandError as error:
            raise ConfigurationError(
                f"{self}: its tables have another version; this program may be too old: {error}"
            ) from error

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
            hint = self._read_only and obstacle(self._read_only)
            said = f"{one_line(str(why), _WHY_LENGTH)}{f'; {hint}' if hint else ''}"
            raise kind(f"{self}: {said}") from error


def open_database(url: str, *, make: bool = True) -> Database:
    """The database of a URL, not yet connected. Raises ConfigurationError.

    `make`: a missing file is made by the first use; otherwise it is an error.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        # The error doesn't quote the URL, which may contain a password.
        raise ConfigurationError(
            "not the URL of a database: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME, "
            "with special characters %-escaped"
        ) from None
    match parsed.drivername:
        case "sqlite":
            check_file_parameters(_WHAT, url)
            # Not as SQLAlchemy has parsed it: a `?` in the name of a folder begins no parameter.
            path = url.partition("///")[2]
            return _sqlite(URL.create("sqlite", database=path), make=make)
        case "postgresql" | "postgresql+psycopg" | "postgres":
            check_parameters(_WHAT, url, _postgresql_parameters())
            return Database(_postgresql(parsed))
        case other:
            raise ConfigurationError(
                f"no database for {other!r}: URLs start with sqlite:/// or postgresql://"
            )


def open_migrated(url: str, package: str, versions: str, *, make: bool = True) -> Database:
    """Open a database whose tables are up to date; see `Database.migrate` for the names.

    If `make` is false nothing is created or changed, and older tables are a ConfigurationError.
    Raises ConfigurationError, StorageError.
    """
    database = open_database(url, make=make)
    prepare(database, package, versions, make=make)
    return database


def prepare(database: Database, package: str, versions: str, *, make: bool) -> None:
    """Bring the tables of a database up to date, as `open_migrated` does."""
    act = database.migrate if make else database.check_migrated
    act(package, versions)


def utc_now() -> datetime:
    """The time in UTC, without a zone: as columns hold it."""
    return datetime.now(UTC).replace(tzinfo=None)


def run_migrations() -> None:
    """Run the missing migrations; called by the `env.py` of a package of migrations."""
    from alembic import context  # noqa: PLC0415 - there is one only while Alembic runs

    attributes = context.config.attributes
    context.configure(connection=attributes["connection"], version_table=attributes["versions"])
    context.run_migrations()


def _postgresql_parameters() -> set[str]:
    """The names that PostgreSQL's client library knows: sslmode, application_name and others."""
    from psycopg import pq  # noqa: PLC0415 - only where it is used

    return {each.keyword.decode() for each in pq.Conninfo.get_defaults()}


def _postgresql(url: URL) -> Engine:
    # Without these psycopg waits about two hours for a server that has vanished.
    known = {
        "connect_timeout": f"{_CONNECT_SECONDS}",
        "tcp_user_timeout": f"{_SILENCE_SECONDS * 1000}",
    }
    url = url.set(drivername="postgresql+psycopg", query={**known, **url.query})
    # Pre-ping: the server may have been restarted since a connection of the pool was used.
    return create_engine(url, pool_pre_ping=True, hide_parameters=True)


def _sqlite(url: URL, *, make: bool) -> Database:
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
    read_only = file if file.exists() and not may_write(file) else None
    if read_only:
        # Without a pool: how the file can be read is found out for each transaction.
        engine = create_engine(
            url, creator=lambda: _connect_read_only(file), poolclass=NullPool, hide_parameters=True
        )
    else:
        engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS}, hide_parameters=True)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return Database(engine, read_only)


def _connect_read_only(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(
        read_only_uri(file), uri=True, timeout=BUSY_SECONDS, check_same_thread=False
    )


def _prepare(connection: sqlite3.Connection, _record: Any) -> None:
    # None: `_begin` begins transactions. Python's sqlite3 would begin them at the first change.
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")
    # WAL: readers don't wait for a writer. The file stays in that mode, so an error, because
    # another process is just setting it, does no harm.
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = WAL")


def _begin(connection: Connection) -> None:
    # IMMEDIATE: a transaction that has read and then writes fails if another one has written since.
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _is_refusal(error: Exception) -> bool:
    """Whether a value was wrong for its column, rather than the database out of order."""
    # A StatementError that is no DBAPIError: SQLAlchemy could not convert a value.
    never_sent = isinstance(error, StatementError) and not isinstance(error, DBAPIError)
    return never_sent or isinstance(error, DataError | IntegrityError)


def _set(connection: Connection, name: str, value: str) -> None:
    """Change a setting of PostgreSQL for this transaction."""
    connection.execute(
        text("SELECT set_config(:name, :value, true)"), {"name": name, "value": value}
    )
