"""The bookmark of a puller: the file `last-rss-entry` with the last entry that is in the queue.

The previous entry is kept in `last-rss-entry.prev`. The old system wrote the same files
(stories.md 5.3).
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from indexer.errors import InputError
from indexer.files.locks import try_lock
from indexer.files.whole_files import write_whole
from indexer.stories.queuers.rss_fetcher import EntryRow

NAME = "last-rss-entry"


class Bookmark:
    """The bookmark in a directory. Unless `kept`, the file is read but never changed.

    `entry` is the last entry, None before the first one.
    """

    def __init__(self, directory: Path, *, kept: bool = True) -> None:
        self._path = directory / NAME
        self._kept = kept
        self._seen: bytes | None = None
        self.entry: EntryRow | None = None

    @property
    def last(self) -> int | None:
        """The id of the last entry."""
        return self.entry.id if self.entry else None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Exclude other pullers of this machine. Raises InputError if another one runs."""
        if not self._kept:
            yield
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        lock = try_lock(self._aside(".lock"))
        if lock is None:
            raise InputError(f"{self._path}: another puller is running")
        with closing(lock):
            yield

    def read(self) -> None:
        """Read the entry at which the last run ended. Raises InputError if the file is damaged."""
        self._seen = self._content()
        if self._seen is None:
            return
        self.entry = _entry(self._seen)
        if self.entry is None:
            raise InputError(f"{self._path}: not the JSON of an entry with an id; {self._advice()}")

    def save(self, row: EntryRow) -> None:
        """Store an entry as the last one, durably.

        Raises InputError if another program has changed the file.
        """
        self.entry = row
        if not self._kept:
            return
        # The lock excludes pullers of this machine only; the directory may be shared by several.
        if self._content() != self._seen:
            raise InputError(
                f"{self._path} was changed by another program: make sure that only one puller "
                "runs, and start it again; stories queued since the last page are queued twice"
            )
        if self._seen is not None:
            write_whole(self._aside(".prev"), self._seen)
        content = json.dumps(row.sent).encode()
        write_whole(self._path, content)
        self._seen = content

    def check(self, rows: Sequence[EntryRow]) -> None:
        """Check the first row that the rss-fetcher has from the bookmark's id on.

        Raises InputError if there is none, or if the entry with this id is another one: then the
        rss-fetcher has another database, and the ids after the bookmark mean nothing.
        """
        if self.entry is None:
            return
        if not rows:
            found = f"the rss-fetcher has no entry from {self.last} on"
        elif rows[0].id == self.last and _is_another(self.entry, rows[0]):
            found = f"the entry {self.last} of the rss-fetcher has another URL"
        else:
            return
        raise InputError(
            f"{found}, but it was the last one queued ({self._path}): its database was replaced, "
            "or --rss-fetcher-url is another server. To read its entries, move the file away, and "
            "set --first-id to the first entry that is not queued"
        )

    def _content(self) -> bytes | None:
        try:
            return self._path.read_bytes()
        except FileNotFoundError:
            return None

    def _aside(self, suffix: str) -> Path:
        return self._path.with_name(NAME + suffix)

    def _advice(self) -> str:
        """Advice for repairing a damaged file."""
        previous = self._aside(".prev")
        last = _entry(previous.read_bytes()) if previous.exists() else None
        if last is None:
            return "remove it, and set --first-id to the first entry to read"
        return f"replace it by {previous.name}, which has the entry before ({last.id})"


def _entry(content: bytes) -> EntryRow | None:
    """The entry in a file; None if there is none, or if it has no id."""
    try:
        sent = json.loads(content)
    except (ValueError, RecursionError):
        return None
    entry = EntryRow(sent) if isinstance(sent, dict) else None
    return entry if entry and entry.id is not None else None


def _is_another(one: EntryRow, other: EntryRow) -> bool:
    """Whether two rows have different URLs; a row without one says nothing."""
    urls = {each.sent.get("url") for each in (one, other)} - {None, ""}
    return len(urls) > 1
