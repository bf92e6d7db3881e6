"""How far a puller is: the last entry that is in the queue, in a file `last-rss-entry`.

Written aside, then renamed, so it is whole or not there, after a power cut too; the one before is
kept as `last-rss-entry.prev`. The files of the older system are read (stories.md 5.3).
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from indexer.errors import InputError
from indexer.files.locks import try_lock
from indexer.files.whole_files import write_whole
from indexer.stories.queuers.rss_entries import EntryRow

NAME = "last-rss-entry"


class Bookmark:
    """The bookmark in a directory. Unless it is `kept`, the file is read but never changed.

    One puller holds it at a time; `last` is the id of its entry, None before the first.
    """

    def __init__(self, directory: Path, *, kept: bool = True) -> None:
        self._path = directory / NAME
        self._kept = kept
        self._seen: bytes | None = None
        self.last: int | None = None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other pullers of this machine from it. Raises InputError if one is at work."""
        if not self._kept:
            yield
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        lock = try_lock(self._aside(".lock"))
        if lock is None:
            raise InputError(f"{self._path}: another puller is at work")
        try:
            yield
        finally:
            lock.close()

    def read(self) -> None:
        """Look where the last run ended. Raises InputError for a file that can't be read."""
        self._seen = self._content()
        if self._seen is None:
            return
        self.last = _id(self._seen)
        if self.last is None:
            raise InputError(f"{self._path}: not the JSON of an entry with an id; {self._advice()}")

    def save(self, row: EntryRow) -> None:
        """Make an entry the last one, durably.

        Raises InputError when the file is not as it was left: somebody else has changed it.
        """
        self.last = row.id
        if not self._kept:
            return
        if self._content() != self._seen:
            raise InputError(
                f"{self._path} was changed by another program: see that there is only one puller, "
                "and start it again; what it queued since the last page is queued twice"
            )
        if self._seen is not None:
            write_whole(self._aside(".prev"), self._seen)
        content = json.dumps(row.sent).encode()
        write_whole(self._path, content)
        self._seen = content

    def _content(self) -> bytes | None:
        try:
            return self._path.read_bytes()
        except FileNotFoundError:
            return None

    def _aside(self, suffix: str) -> Path:
        return self._path.with_name(NAME + suffix)

    def _advice(self) -> str:
        """What a person can do about a broken file."""
        previous = self._aside(".prev")
        last = _id(previous.read_bytes()) if previous.exists() else None
        if last is None:
            return "remove it, and say with --first-id where to start"
        return f"{previous.name} has the entry before ({last}): put it in its place"


def _id(content: bytes) -> int | None:
    """The id of the entry that a file holds; None if it holds none."""
    try:
        sent = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return EntryRow(sent).id if isinstance(sent, dict) else None
