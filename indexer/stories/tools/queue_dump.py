"""A queue written to archives: messages are settled when their archive is safe on the disk."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
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
from indexer.text.dates import utc_now

MAX_BYTES = 1_000_000_000
MAX_AGE = timedelta(minutes=15)
"""The age at which a file is finished: RabbitMQ takes unsettled messages back after 30 minutes."""


@dataclass
class Dump:
    """Writes the messages of a queue to archives in a directory, QUEUE-TIME-SERIAL-HOST.warc.gz.

    A file is written aside, synced, read again and verified; then it gets its name, and `settle` is
    called with its messages, without their bodies. `finished` is called with its path and number of
    stories. All methods raise StorageError if the directory can't be written to, and ArchiveError.
    """

    queue: str
    directory: Path
    settle: Callable[[Sequence[Delivery]], None]
    finished: Callable[[Path, int], None] = lambda _path, _stories: None
    _: KW_ONLY
    clock: Callable[[], datetime] = utc_now
    stories: int = field(default=0, init=False)
    """The number of stories in finished files."""

    def __post_init__(self) -> None:
        self._serials = count(1)
        self._open: _File | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._open is not None:
            self._open.discard()

    def add(self, delivery: Delivery) -> None:
        """Write a message. Raises Quarantine if it is not a story, or can't be written."""
        entry = entry_of(self.queue, delivery)
        with _writing_to(self.directory):
            if self._open is not None and self._open.is_over(self.clock()):
                self.finish()
            if self._open is None:
                self._open = self._create()
            self._open.write(entry, delivery)

    def finish(self) -> None:
        """Finish the open file, and settle its messages."""
        if self._open is None:
            return
        file = self._open
        with _writing_to(self.directory):
            file.seal()
        # From here on the file is the only copy: it is neither written to nor removed.
        self._open = None
        self.settle(file.receipts)
        self.stories += len(file.receipts)
        self.finished(file.path, len(file.receipts))

    def _create(self) -> "_File":
        """A file with a name that no other file has, finished or not."""
        moment = self.clock()
        for serial in self._serials:
            path = self.directory / archive_name(self.queue, moment, serial)
            aside = path.with_name(f"{path.name}.tmp")
            # "x": if several dumps of one second try the same name, one of them gets it.
            with suppress(FileExistsError):
                file = aside.open("xb")
                if not path.exists():
                    return _File(path, aside, file, moment)
                file.close()
                aside.unlink()
        raise AssertionError  # there is always another number


@dataclass(slots=True)
class _File:
    """An unfinished archive, and its messages."""

    path: Path
    aside: Path
    file: BinaryIO
    started: datetime
    receipts: list[Delivery] = field(default_factory=list)
    writer: StoryArchiveWriter = field(init=False)

    def __post_init__(self) -> None:
        self.writer = StoryArchiveWriter(self.file, self.path.name)

    def is_over(self, now: datetime) -> bool:
        """Whether the file has reached the largest size, or the highest age."""
        full = self.writer.stories >= MAX_STORIES or self.writer.size >= MAX_BYTES
        return full or now - self.started >= MAX_AGE

    def write(self, entry: ArchiveEntry, delivery: Delivery) -> None:
        self.writer.write(entry)
        self.receipts.append(replace(delivery, body=b""))

    def seal(self) -> None:
        """Sync and verify the file, and give it its name. Raises ArchiveError, OSError."""
        # On the disk before the messages are settled: a power cut must not lose both.
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
