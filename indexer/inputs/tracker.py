"""Which inputs are done, and how far the others are: an SQLite file that processes share.

The table `files` is the one that operators have (stories.md 5.2); its rows are read and written
as ever. `progress` adds what is known of each: the version of the file, how many of its items are
in the queue, and who is reading it. The reader renews a lease; when it is dead, or the lease is
over, anyone may go on where it stopped.
"""

import os
import secrets
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import structlog

from indexer.errors import InputError, StorageError

log = structlog.get_logger()

STARTED = "STARTED"
FINISHED = "FINISHED"

LEASE_SECONDS = 120.0
LOCK_SECONDS = 60.0

STALE_SECONDS = 24 * 3600.0
"""How old a row of the older system is when `--cleanup` takes it for left behind."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS files
    (name TEXT PRIMARY KEY, status TEXT NOT NULL, ts INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS progress
    (name TEXT PRIMARY KEY, version TEXT NOT NULL, items INTEGER NOT NULL, owner TEXT NOT NULL,
     host TEXT NOT NULL, pid INTEGER NOT NULL, lease REAL NOT NULL) WITHOUT ROWID;
"""


class InputState(StrEnum):
    """What is to be done about an input. The last two are reasons to skip it."""

    NEW = "not started"
    LEFT = "left half done"
    CHANGED = "changed since it was read"
    TAKEN = "being read by another process"
    FINISHED = "finished"

    @property
    def free(self) -> bool:
        """Whether it may be read."""
        return self not in (InputState.TAKEN, InputState.FINISHED)


class File(NamedTuple):
    """A row of `files`; `ts` in seconds since the epoch."""

    status: str
    ts: int


class ReadingProgress(NamedTuple):
    """A row of `progress`. Without an `owner` nobody is reading the file."""

    version: str
    items: int
    owner: str
    host: str
    pid: int
    lease: float

    def is_held(self, now: float) -> bool:
        """Whether its owner is, as far as can be told, still reading."""
        return bool(self.owner) and self.lease > now and not self._is_dead()

    def _is_dead(self) -> bool:
        if self.host != socket.gethostname():
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except OSError:
            return False
        return False


def judge(
    file: File | None,
    progress: ReadingProgress | None,
    version: str,
    now: float,
    *,
    cleanup: bool = False,
) -> InputState:
    """What is to be done about a version of an input, by what is known of it."""
    if progress is None:
        return _by_old_row(file, now, cleanup)
    if progress.is_held(now):
        return InputState.TAKEN
    if progress.version != version:
        return InputState.CHANGED
    done = file is not None and file.status.upper() == FINISHED
    return InputState.FINISHED if done else InputState.LEFT


def _by_old_row(file: File | None, now: float, cleanup: bool) -> InputState:
    if file is None:
        return InputState.NEW
    if file.status.upper() == FINISHED:
        return InputState.FINISHED
    return InputState.NEW if cleanup and now - file.ts > STALE_SECONDS else InputState.TAKEN


def base_name(name: str) -> str:
    """By what the older system knew an input: its bare file name, without .gz or .gzip."""
    return name.rpartition("/")[2].removesuffix(".gz").removesuffix(".gzip")


class Claim:
    """One input, while this process reads it. As a context, it is let go at the end.

    `items` is how many of its items were in the queue already. Every method raises InputError
    when another process has taken the input over, StorageError when the tracker can't be used.
    """

    def __init__(self, tracker: "Tracker | None", name: str, items: int = 0) -> None:
        self._tracker = tracker
        self._name = name
        self.items = items

    def confirm(self, items: int) -> None:
        """Write down that so many of its items are in the queue."""
        if self._tracker is not None:
            self._tracker.confirm(self._name, items)

    def finish(self) -> None:
        """Write down that it is done."""
        if self._tracker is not None:
            self._tracker.finish(self._name)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._tracker is not None:
            self._tracker.release(self._name)


UNTRACKED = Claim(None, "")
"""An input that is read whatever was read before, and leaves no trace."""


class Tracker:
    """The book of one program's inputs, for threads, processes and hosts that share the file.

    A dry run reads it and writes nothing. `clock` gives seconds since the epoch. Every method
    raises StorageError when the file can't be used.
    """

    def __init__(
        self,
        path: Path,
        *,
        dry_run: bool = False,
        clock: Callable[[], float] = time.time,
        lease: float = LEASE_SECONDS,
    ) -> None:
        self._path = path
        self._dry_run = dry_run
        self._clock = clock
        self._lease = lease
        self._owner = secrets.token_hex(8)
        self._closed = threading.Event()
        self._heart: threading.Thread | None = None

    def state(self, name: str, version: str, *, cleanup: bool = False) -> InputState:
        """What `claim` would find. Changes nothing."""
        return self._read(name, version, cleanup)[0]

    def claim(self, name: str, version: str, *, cleanup: bool = False) -> Claim | None:
        """Take an input on from where it was left; None if it is finished, or another's."""
        if self._dry_run:
            state, items = self._read(name, version, cleanup)
            return Claim(None, name, items) if state.free else None
        with self._open(writing=True) as db:
            state, items = self._judge(db, name, version, cleanup)
            if not state.free:
                return None
            self._take(db, name, version, items)
        self._beat()
        return Claim(self, name, items)

    def confirm(self, name: str, items: int) -> None:
        """See `Claim.confirm`."""
        with self._open(writing=True) as db:
            self._update(db, name, "items = ?", items)

    def finish(self, name: str) -> None:
        """See `Claim.finish`."""
        with self._open(writing=True) as db:
            self._update(db, name, "owner = ?", "")
            self._set_status(db, name, FINISHED)

    def release(self, name: str) -> None:
        """Let go of an input that isn't finished: anyone may go on after what is confirmed."""
        with self._open(writing=True) as db:
            mine = (name, self._owner)
            held = "SELECT name FROM progress WHERE name = ? AND owner = ?"
            db.execute(f"DELETE FROM files WHERE name IN ({held})", mine)  # noqa: S608 - ours
            db.execute("UPDATE progress SET owner = '' WHERE name = ? AND owner = ?", mine)

    def renew(self) -> None:
        """Hold what this process has claimed for another lease."""
        with self._open(writing=True) as db:
            until = self._clock() + self._lease
            db.execute("UPDATE progress SET lease = ? WHERE owner = ?", (until, self._owner))

    def close(self) -> None:
        """Stop renewing."""
        self._closed.set()
        if self._heart is not None:
            self._heart.join()

    def _read(self, name: str, version: str, cleanup: bool) -> tuple[InputState, int]:
        if not self._path.exists():
            return InputState.NEW, 0
        with self._open() as db:
            return self._judge(db, name, version, cleanup)

    def _judge(
        self, db: sqlite3.Connection, name: str, version: str, cleanup: bool
    ) -> tuple[InputState, int]:
        """What is to be done about an input, and how many of its items are in the queue."""
        file, progress = _look(db, name)
        state = judge(file, progress, version, self._clock(), cleanup=cleanup)
        return state, progress.items if progress and state is InputState.LEFT else 0

    def _take(self, db: sqlite3.Connection, name: str, version: str, items: int) -> None:
        lease = self._clock() + self._lease
        row = ReadingProgress(version, items, self._owner, socket.gethostname(), os.getpid(), lease)
        db.execute("REPLACE INTO progress VALUES (?, ?, ?, ?, ?, ?, ?)", (name, *row))
        self._set_status(db, name, STARTED)

    def _set_status(self, db: sqlite3.Connection, name: str, status: str) -> None:
        db.execute("REPLACE INTO files VALUES (?, ?, ?)", (name, status, int(self._clock())))

    def _update(self, db: sqlite3.Connection, name: str, change: str, value: object) -> None:
        found = db.execute(
            f"UPDATE progress SET {change} WHERE name = ? AND owner = ?",  # noqa: S608 - ours
            (value, name, self._owner),
        )
        if not found.rowcount:
            raise InputError(f"{name}: another process has taken it over")

    def _beat(self) -> None:
        """See to it that leases are renewed, however long the producer waits for room."""
        if self._heart is None:
            self._heart = threading.Thread(target=self._renew_for_ever, daemon=True)
            self._heart.start()

    def _renew_for_ever(self) -> None:
        while not self._closed.wait(self._lease / 4):
            try:
                self.renew()
            except StorageError as error:
                log.warning("claims not renewed", why=str(error))

    @contextmanager
    def _open(self, *, writing: bool = False) -> Iterator[sqlite3.Connection]:
        """A connection; `writing` makes it one transaction that nobody else can come between."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, LOCK_SECONDS, isolation_level=None)) as db:
                if writing:
                    db.executescript(_SCHEMA)
                    db.execute("BEGIN IMMEDIATE")
                yield db
                if writing:
                    db.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            raise StorageError(f"tracker {self._path}: {error}") from error


def _look(db: sqlite3.Connection, name: str) -> tuple[File | None, ReadingProgress | None]:
    """The rows of an input. Where it has none, `files` may know it by its bare name."""
    tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master")}
    progress = file = None
    if "progress" in tables:
        columns = ", ".join(ReadingProgress._fields)
        progress = db.execute(
            f"SELECT {columns} FROM progress WHERE name = ?",  # noqa: S608 - ours
            (name,),
        ).fetchone()
    if "files" in tables:
        names = (name, base_name(name), name)
        file = db.execute(
            "SELECT status, ts FROM files WHERE name IN (?, ?) ORDER BY name = ? DESC", names
        ).fetchone()
    return file and File(*file), progress and ReadingProgress(*progress)
