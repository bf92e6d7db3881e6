"""The file of the embedded broker: its tables, and its transactions."""

import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from indexer.errors import BrokerError, ConfigurationError
from indexer.files.locks import FileLock

APPLICATION_ID = 0x53494451
"""SQLite's `application_id` of files with queues: "SIDQ"."""

BUSY_SECONDS = 60.0
"""How long SQLite waits for transactions of programs that don't take our lock: its shell."""

WAL_BYTES = 64 * 1024 * 1024
"""The size to which SQLite truncates the write-ahead log after a checkpoint."""

PAGE_BYTES = 8192
"""The size of a page of new files. With larger pages stories cost less, and short messages more."""

FREE_PAGES = 10_000
"""Freed pages that a program gives back to the file system when it ends: 80 MB."""

_FIRST = """
CREATE TABLE exchanges (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE queues (
    name TEXT PRIMARY KEY,
    dead_letter TEXT NOT NULL,
    delivery_limit INTEGER NOT NULL,
    keep INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE bindings (
    exchange TEXT NOT NULL REFERENCES exchanges ON DELETE CASCADE,
    queue TEXT NOT NULL REFERENCES queues ON DELETE CASCADE,
    key TEXT NOT NULL,
    PRIMARY KEY (exchange, queue, key)
) WITHOUT ROWID;
-- A consumer is alive as long as its lock file, named by the id, is locked.
CREATE TABLE consumers (id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL);
-- `since`: when the message came to its queue; its place there. `expires`: when it moves to the
-- queue's dead letters. Times are in seconds since the epoch. `holder`: the consumer's id.
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL REFERENCES queues ON DELETE CASCADE,
    since REAL NOT NULL,
    size INTEGER NOT NULL,
    key TEXT NOT NULL,
    headers TEXT NOT NULL,
    deliveries INTEGER NOT NULL DEFAULT 0,
    expires REAL,
    holder INTEGER
);
CREATE INDEX waiting ON messages (queue, since, id, size, holder) WHERE holder IS NULL;
CREATE INDEX held ON messages (holder, queue) WHERE holder IS NOT NULL;
CREATE INDEX expiring ON messages (expires) WHERE expires IS NOT NULL;
-- A table of its own: SQLite rewrites a whole row when its holder changes.
CREATE TABLE bodies (
    id INTEGER PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
    body BLOB NOT NULL
);
"""

_SECOND = """
-- `expires_after`: seconds without a consumer after which the queue is deleted; 0: never. `unused`:
-- when the queue was declared, or lost a consumer.
ALTER TABLE queues ADD COLUMN expires_after REAL NOT NULL DEFAULT 0;
ALTER TABLE queues ADD COLUMN unused REAL NOT NULL DEFAULT 0;
CREATE TABLE exchange_bindings (
    exchange TEXT NOT NULL REFERENCES exchanges ON DELETE CASCADE,
    destination TEXT NOT NULL REFERENCES exchanges ON DELETE CASCADE,
    key TEXT NOT NULL,
    PRIMARY KEY (exchange, destination, key)
) WITHOUT ROWID;
"""

_FORMATS = (_FIRST, _SECOND)
"""What each version of the tables adds to the one before."""

FORMAT = len(_FORMATS)
"""The version of the tables. Files of older versions are changed, newer ones refused."""


MADE = "made"
"""A file beside the locks: the queues' file has had tables. All access is within the lock."""

LEAST_FREE = 1 << 20
"""Bytes of free disk below which an error of SQLite is taken for one of a full disk."""


class QueueDatabase:
    """One connection to the file, for all threads of the process.

    `changed` guards the connection, and is notified when this process has changed the file.
    """

    def __init__(self, path: Path) -> None:
        if sqlite3.sqlite_version_info < (3, 35):
            raise ConfigurationError("SQLite 3.35 or newer is needed: use a newer Python")
        self.path = path
        self.locks = path.with_name(f"{path.name}-consumers")
        self.changed = threading.Condition()
        self._commits = 0
        self._closed = False
        try:
            # SQLite makes processes that wait for its lock sleep, longer and longer, so that some
            # starve; the kernel wakes them as soon as this lock is free. Besides, SQLite can't let
            # two processes switch a file to WAL at once.
            self.locks.mkdir(parents=True, exist_ok=True)
            self._turn = FileLock(self.locks / "turn")
        except OSError as error:
            raise ConfigurationError(f"can't use {path} for queues: {error}") from error
        with _explained(path), self._turn:
            made = self.locks / MADE
            if not path.exists():
                # A file that was deleted is made anew.
                made.unlink(missing_ok=True)
            self._connection = _open(path, had_tables=made.exists())
            # Only now: a program may be killed before its file has tables.
            if not made.exists():
                made.touch()

    @contextmanager
    def transaction(self, *, durable: bool) -> Iterator[sqlite3.Connection]:
        """One transaction; all threads and processes take turns. Raises BrokerError.

        `durable`: on disk when it ends. Otherwise a power cut may undo it, but not a crash.
        """
        with self.reading() as connection:
            # In WAL mode SQLite syncs at each commit with FULL, with NORMAL only at checkpoints.
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            with self._turn:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                    connection.execute("COMMIT")
                except BaseException:
                    # A full disk may have made SQLite roll back by itself.
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
            self._commits += 1
            self.changed.notify_all()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, for one thread at a time to read from. Raises BrokerError."""
        with self.changed, _explained(self.path):
            if self._closed:
                raise BrokerError(f"the broker {self.path} is closed")
            yield self._connection

    def version(self) -> tuple[int, int]:
        """A value that changes with every change of the file by any process; cheap."""
        # `data_version` tells of other connections' changes only: so our own commits are counted.
        with self.reading() as connection:
            return connection.execute("PRAGMA data_version").fetchone()[0], self._commits

    def close(self) -> None:
        """Give free pages back to the file system, and close the file."""
        with self.changed:
            if not self._closed:
                self._closed = True
                self.changed.notify_all()
                with (
                    closing(self._turn),
                    closing(self._connection) as connection,
                    suppress(sqlite3.Error),
                    self._turn,
                ):
                    # The pragma frees a page at each step of its statement; `execute` makes one.
                    connection.executescript(f"PRAGMA incremental_vacuum({FREE_PAGES})")


def _open(path: Path, *, had_tables: bool) -> sqlite3.Connection:
    if had_tables and not path.stat().st_size:
        # Not opened: SQLite would delete its write-ahead log, which may have all of its messages.
        raise _emptied(path)
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        _prepare(connection, path, had_tables=had_tables)
    except BaseException:
        connection.close()
        raise
    return connection


def _emptied(path: Path) -> ConfigurationError:
    return ConfigurationError(
        f"{path} is empty, but had queues: replace it by a copy, or delete it to begin without the "
        "messages that it had"
    )


def _prepare(connection: sqlite3.Connection, path: Path, *, had_tables: bool) -> None:
    """Set up the connection; make the tables that the file lacks."""
    is_new = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if is_new and had_tables:
        raise _emptied(path)
    version = 0 if is_new else _known_format(connection, path)
    # The first two have an effect only in a new file, before its journal mode is set.
    connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA journal_size_limit = {WAL_BYTES}")
    # Debian's SQLite overwrites each deleted message with zeros, which writes as much again.
    connection.execute("PRAGMA secure_delete = OFF")
    connection.execute("PRAGMA foreign_keys = ON")
    # macOS: plain fsync leaves the data in the disk's cache.
    connection.execute("PRAGMA fullfsync = ON")
    if version < FORMAT:
        _upgrade(connection, version)


def _upgrade(connection: sqlite3.Connection, version: int) -> None:
    # One transaction: programs of the older version, which may hold messages, see all of it or
    # nothing. They go on to receive and settle.
    connection.execute("BEGIN IMMEDIATE")
    for statements in _FORMATS[version:]:
        for statement in statements.split(";\n"):
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute("COMMIT")


def _known_format(connection: sqlite3.Connection, path: Path) -> int:
    """The version of a file's tables. Raises ConfigurationError if this program can't use it."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise ConfigurationError(f"{path} is a database, but not of queues: name another file")
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if not 0 < version <= FORMAT:
        raise ConfigurationError(
            f"{path} has queues of format {version}, this program knows {FORMAT}: "
            "empty them with the version that made them, then name another file"
        )
    return version


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise BrokerError(f"{path}: {error}{_if_full(path)}") from error


def _if_full(path: Path) -> str:
    """Say that the disk of a file is full: SQLite may only say that input or output failed."""
    with suppress(OSError):
        if shutil.disk_usage(path.parent).free < LEAST_FREE:
            return ": the disk is full"
    return ""
