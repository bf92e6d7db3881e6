"""The file of an embedded index: made, opened, migrated, and locked while it is written."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from indexer.errors import NoIndex, SearchError, StorageError
from indexer.files.sqlite_reading import may_write, obstacle, read_only_uri, unchanged
from indexer.search.sqlite.migration import check_current, check_format, migrate
from indexer.search.sqlite.tables import Tables

BUSY_SECONDS = 60.0
"""How long to wait for other processes' transactions, each of which takes a second at most. (Only a
migration that splits many texts takes longer.)"""

_Prepare = Callable[[sqlite3.Connection, Path, Tables], None]


class IndexFile:
    """One file with the tables of a schema. Thread-safe."""

    def __init__(self, path: Path, tables: Tables) -> None:
        self._path = path
        self._tables = tables
        self._lock = threading.Lock()
        self._writer: sqlite3.Connection | None = None

    def check(self) -> None:
        """Raise NoIndex if the file does not exist."""
        if not self._path.exists():
            raise NoIndex(f"no search index at {self._path}: `story-indexer run` makes one")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Open a connection whose transaction sees the index's present state."""
        self.check()
        with ExitStack() as stack:
            stack.enter_context(self._explained())
            if may_write(self._path):
                connection = stack.enter_context(closing(self._connect()))
            else:
                stack.enter_context(unchanged(self._path))
                connection = stack.enter_context(closing(self._connect_read_only()))
            connection.execute("PRAGMA query_only = 1")
            connection.execute("BEGIN")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Run the only writing transaction of all threads and processes."""
        with self._lock, self._explained():
            if not self._writer:
                self._make()
                self._writer = self._connect()
            # Taking the write lock at once can wait; upgrading a read lock would fail instead.
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                # A newer program may have migrated the file since it was opened.
                check_format(self._writer, self._path)
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._writer:
                self._writer.close()
                self._writer = None

    def _make(self) -> None:
        """Create the file if it does not exist."""
        # Written aside, then linked: other processes never see it half made, and none is
        # overwritten.
        path = self._path
        if path.exists():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_name(f".{path.name}-{os.getpid()}-{threading.get_ident()}")
        try:
            with closing(sqlite3.connect(aside, isolation_level=None)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
                for statement in self._tables.created:
                    connection.execute(statement)
            with suppress(FileExistsError):
                path.hardlink_to(aside)
        finally:
            aside.unlink(missing_ok=True)

    def _connect(self) -> sqlite3.Connection:
        """Connect to the existing file, and migrate it if it is of an older program."""
        return self._connected(f"{self._path.as_uri()}?mode=rw", migrate)

    def _connect_read_only(self) -> sqlite3.Connection:
        """Connect to a file that can't be migrated. Raises ConfigurationError if it has to be."""
        return self._connected(read_only_uri(self._path), check_current)

    def _connected(self, uri: str, prepare: _Prepare) -> sqlite3.Connection:
        connection = sqlite3.connect(
            uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            prepare(connection, self._path, self._tables)
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            why = "another process writes or migrates it" if "locked" in str(error) else ""
            hint = why or obstacle(self._path)
            raise SearchError(
                f"the search index {self._path}: {error}{f'; {hint}' if hint else ''}"
            ) from error
        except StorageError as error:
            raise SearchError(f"the search index {error}") from error
        except OSError as error:
            raise SearchError(f"can't use {self._path} as a search index: {error}") from error
