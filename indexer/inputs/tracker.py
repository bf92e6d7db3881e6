"""The progress of inputs: an SQLite file that all processes of a program share.

The table `files` is the one of the older system (stories.md 5.2), and is read and written as there.
The table `progress` adds the version of an input, the number of its items that are in the queue,
and the process that reads it. This process renews a lease. When it is dead, or its lease is over,
any other process may resume where it stopped.
"""

import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Self

from indexer.errors import InputError, StorageError
from indexer.system.repeating import Repeating
from indexer.system.this_process import is_dead, machine

STARTED = "STARTED"
FINISHED = "FINISHED"

LEASE_SECONDS = 120.0
LOCK_SECONDS = 60.0

STALE_SECONDS = 24 * 3600.0
"""The age at which `--cleanup` takes a row of the older system for one of a killed program."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS files
    (name TEXT PRIMARY KEY, status TEXT NOT NULL, ts INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS progress
    (name TEXT PRIMARY KEY, version TEXT NOT NULL, items INTEGER NOT NULL, owner TEXT NOT NULL,
     host TEXT NOT NULL, pid INTEGER NOT NULL, lease REAL NOT NULL) WITHOUT ROWID;
"""


class InputState(StrEnum):
    """The state of an input; the last two are reasons to skip it."""

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
    """A row of `progress`. While no process reads the file, `owner` is blank."""

    version: str
    items: int
    owner: str
    host: str
    pid: int
    lease: float

    def is_held(self, now: float) -> bool:
        """Whether its owner is still reading, as far as is known."""
        return bool(self.owner) and self.lease > now and not is_dead(self.host, self.pid)


def judge(
    file: File | None,
    progress: ReadingProgress | None,
    version: str,
    now: float,
    *,
    cleanup: bool = False,
) -> InputState:
    """The state of an input, from its rows and its present version."""
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
    """The name of an input in the older system: its file name, without .gz or .gzip."""
    return name.rpartition("/")[2].removesuffix(".gz").removesuffix(".gzip")


class Claim:
    """The right to read one input; a context that releases it at the end.

    `items` is the number of its items that are in the queue already. Without a tracker, nothing is
    recorded. All methods raise InputError if another process has taken the input over, StorageError
    if the tracker can't be used.
    """

    def __init__(self, tracker: "Tracker | None", name: str, items: int = 0) -> None:
        self._tracker = tracker
        self._name = name
        self.items = items

    def confirm(self, items: int) -> None:
        """Record that so many of its items are in the queue."""
        if self._tracker is not None:
            self._tracker.update(self._name, "items", items)

    def finish(self) -> None:
        """Record that the input is finished."""
        if self._tracker is not None:
            self._tracker.update(self._name, "owner", "", FINISHED)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._tracker is not None:
            self._tracker.release(self._name)


UNTRACKED = Claim(None, "")
"""The claim of an input whose progress is neither read nor recorded."""


class Tracker:
    """The progress of one program's inputs, for all threads, processes and hosts that share its
    file.

    A dry run reads the file, and writes nothing. `clock` gives seconds since the epoch. All methods
    raise StorageError if the file can't be used.
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
        self._heart: Repeating | None = None

    def state(self, name: str, version: str, *, cleanup: bool = False) -> InputState:
        """The state that `claim` would find. Changes nothing."""
        return self._read(name, version, cleanup)[0]

    def claim(self, name: str, version: str, *, cleanup: bool = False) -> Claim | None:
        """Claim an input; None if it is finished, or another process reads it."""
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

    def update(self, name: str, column: str, value: object, status: str = "") -> None:
        """Change the progress of an input that this process has claimed, and its status."""
        with self._open(writing=True) as db:
            found = db.execute(
                f"UPDATE progress SET {column} = ? WHERE name = ? AND owner = ?",  # noqa: S608 - ours
                (value, name, self._owner),
            )
            if not found.rowcount:
                raise InputError(f"{name}: another process has taken it over")
            if status:
                self._set_status(db, name, status)

    def release(self, name: str) -> None:
        """Release an unfinished input: any process may resume after its confirmed items."""
        with self._open(writing=True) as db:
            mine = (name, self._owner)
            held = "SELECT name FROM progress WHERE name = ? AND owner = ?"
            # The older system skips an input whose row stays STARTED.
            db.execute(f"DELETE FROM files WHERE name IN ({held})", mine)  # noqa: S608 - ours
            db.execute("UPDATE progress SET owner = '' WHERE name = ? AND owner = ?", mine)

    def renew(self) -> None:
        """Renew the leases of all claims of this process."""
        with self._open(writing=True) as db:
            until = self._clock() + self._lease
            db.execute("UPDATE progress SET lease = ? WHERE owner = ?", (until, self._owner))

    def close(self) -> None:
        """Stop renewing leases."""
        if self._heart is not None:
            self._heart.close()

    def _read(self, name: str, version: str, cleanup: bool) -> tuple[InputState, int]:
        if not self._path.exists():
            return InputState.NEW, 0
        with self._open() as db:
            return self._judge(db, name, version, cleanup)

    def _judge(
        self, db: sqlite3.Connection, name: str, version: str, cleanup: bool
    ) -> tuple[InputState, int]:
        """The state of an input, and the number of its items that are in the queue."""
        file, progress = _look(db, name)
        state = judge(file, progress, version, self._clock(), cleanup=cleanup)
        return state, progress.items if progress and state is InputState.LEFT else 0

    def _take(self, db: sqlite3.Connection, name: str, version: str, items: int) -> None:
        lease = self._clock() + self._lease
        row = ReadingProgress(version, items, self._owner, machine(), os.getpid(), lease)
        db.execute("REPLACE INTO progress VALUES (?, ?, ?, ?, ?, ?, ?)", (name, *row))
        self._set_status(db, name, STARTED)

    def _set_status(self, db: sqlite3.Connection, name: str, status: str) -> None:
        db.execute("REPLACE INTO files VALUES (?, ?, ?)", (name, status, int(self._clock())))

    def _beat(self) -> None:
        """Start to renew leases in a thread: the producer may wait hours for room in the queues."""
        # Started with the first claim: a run that finds all inputs finished needs no thread.
        if self._heart is None:
            # A quarter of the lease: some renewals may fail before it is over.
            self._heart = Repeating("renewing claims", self._lease / 4, self.renew)

    @contextmanager
    def _open(self, *, writing: bool = False) -> Iterator[sqlite3.Connection]:
        """A connection; with `writing`, one transaction that excludes all other writers."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, LOCK_SECONDS, isolation_level=None)) as db:
                if writing:
                    db.executescript(_SCHEMA)
                    # IMMEDIATE: two processes that read first, and write then, would both claim.
                    db.execute("BEGIN IMMEDIATE")
                yield db
                if writing:
                    db.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            raise StorageError(f"tracker {self._path}: {error}") from error


def _look(db: sqlite3.Connection, name: str) -> tuple[File | None, ReadingProgress | None]:
    """The rows of an input; in `files`, an older system may have written it under its base name."""
    # A dry run may find a file of the older system, or an empty one: tables can be missing.
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
