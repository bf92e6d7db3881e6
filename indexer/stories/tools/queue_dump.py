"""A queue written to archives: its messages are settled when their archive is safe, not before."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from indexer.errors import StorageError
from indexer.files.whole_files import move_into_place, sync_file
from indexer.messages.message import Delivery
from indexer.stories.archiving.story_archive_verifier import ensure_sound
from indexer.stories.archiving.story_archive_writer import (
    MAX_STORIES,
    ArchiveEntry,
    StoryArchiveWriter,
    archive_name,
)
from indexer.stories.tools.queue_archives import entry_of
from indexer.warc.writer import utc_now

MAX_BYTES = 1_000_000_000
MAX_AGE = timedelta(minutes=15)
"""When a file ends: RabbitMQ takes back what isn't settled in 30 minutes."""


class Dump:
    """Writes the messages of a queue to archives in a directory, QUEUE-TIME-SERIAL-HOST.warc.gz.

    A file is written aside, synced, read again and verified; then it gets its name, and `settle`
    is called with its messages, without their bodies. `told` is given its path and how many. All
    methods raise StorageError when the directory can't be written to, and ArchiveError.
    """

    def __init__(
        self,
        queue: str,
        directory: Path,
        settle: Callable[[Sequence[Delivery]], None],
        told: Callable[[Path, int], None] = lambda _path, _stories: None,
        *,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._queue = queue
        self._directory = directory
        self._settle = settle
        self._told = told
        self._clock = clock
        self._serials = count(1)
        self._open: _File | None = None
        self.stories = 0
        """How many are in files that are finished."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._open is not None:
            self._open.discard()

    def add(self, delivery: Delivery) -> None:
        """Write a message. Raises Quarantine: it is no story that can be written."""
        entry = entry_of(self._queue, delivery)
        with _writing_to(self._directory):
            if self._open is not None and self._open.is_over(self._clock()):
                self.finish()
            if self._open is None:
                self._open = self._create()
            self._open.write(entry, delivery)

    def finish(self) -> None:
        """Finish the file that is open; its messages are settled."""
        if self._open is None:
            return
        file = self._open
        with _writing_to(self._directory):
            file.seal()
        self._open = None
        self._settle(file.receipts)
        self.stories += len(file.receipts)
        self._told(file.path, len(file.receipts))

    def _create(self) -> "_File":
        """A file whose name nobody has, nor had before this process began to look."""
        moment = self._clock()
        for serial in self._serials:
            path = self._directory / archive_name(self._queue, moment, serial)
            aside = path.with_name(f"{path.name}.tmp")
            with suppress(FileExistsError):
                file = aside.open("xb")
                if not path.exists():
                    return _File(path, aside, file, moment)
                file.close()
                aside.unlink()
        raise AssertionError  # there is always another number


@dataclass(slots=True)
class _File:
    """An archive that is being written, and the messages in it."""

    path: Path
    aside: Path
    file: BinaryIO
    started: datetime
    receipts: list[Delivery] = field(default_factory=list)
    writer: StoryArchiveWriter = field(init=False)

    def __post_init__(self) -> None:
        self.writer = StoryArchiveWriter(self.file, self.path.name)

    def is_over(self, now: datetime) -> bool:
        """Whether it is as large, or as old, as one may be."""
        full = self.writer.stories >= MAX_STORIES or self.writer.size >= MAX_BYTES
        return full or now - self.started >= MAX_AGE

    def write(self, entry: ArchiveEntry, delivery: Delivery) -> None:
        self.writer.write_entry(entry)
        self.receipts.append(replace(delivery, body=b""))

    def seal(self) -> None:
        """Make it durable, verify it, and give it its name. Raises ArchiveError, OSError."""
        sync_file(self.file)
        self.file.close()
        with self.aside.open("rb") as file:
            ensure_sound(file, self.writer.stories)
        move_into_place(self.aside, self.path)

    def discard(self) -> None:
        with suppress(OSError):
            self.file.close()
            self.aside.unlink(missing_ok=True)


@contextmanager
def _writing_to(directory: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = error.strerror or error
        raise StorageError(f"can't write to {directory}: {why}") from error
