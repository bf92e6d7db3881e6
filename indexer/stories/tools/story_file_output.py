"""`PFX-out.warc.gz`: what a program has sent, and where to; written aside until it is whole."""

import sys
from collections.abc import Iterable
from pathlib import Path

from indexer.errors import BrokerError, ConfigurationError, Quarantine
from indexer.files.locks import try_lock
from indexer.files.whole_files import move_into_place, sync_file
from indexer.messages.limits import check
from indexer.messages.message import Delivery, Send
from indexer.stories.archiving.story_archive_writer import ArchiveEntry, StoryArchiveWriter
from indexer.stories.tools.queue_archives import entry_of

SUFFIX = "-out.warc.gz"


class StoryOutput:
    """A file of stories of any number, with the exchange and key that each was sent with.

    It is `PFX-out.warc.gz.tmp` until `seal`. Raises ConfigurationError if another program writes
    it just now, OSError if it can't be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.aside = path.with_name(f"{path.name}.tmp")
        lock = try_lock(self.aside)
        if lock is None:
            raise ConfigurationError(f"another program is writing {path}")
        self._lock = lock
        self._file = self.aside.open("wb")
        # The limit of 5000 is that of archives which are kept: these only pass on what a queue had.
        self._writer = StoryArchiveWriter(self._file, path.name, most=sys.maxsize)

    @property
    def stories(self) -> int:
        """How many are in it."""
        return self._writer.stories

    def write(self, sends: Iterable[Send]) -> None:
        """Append messages. Raises BrokerError: one is no story that can be written."""
        for send in sends:
            self._writer.write_entry(_entry(send))

    def sync(self) -> None:
        """Make durable what was written."""
        sync_file(self._file)

    def seal(self) -> None:
        """Give the file its name, in the place of an older one."""
        self.sync()
        # Renamed while it is locked: another program that took the lock in between would empty it.
        move_into_place(self.aside, self.path)
        self.close()

    def close(self) -> None:
        """Let go of the file; it stays where it is."""
        self._file.close()
        self._lock.close()


def _entry(send: Send) -> ArchiveEntry:
    check(send)
    delivery = Delivery(0, send.body, send.key, send.headers)
    try:
        return entry_of(send.key, delivery, send.exchange)
    except Quarantine as error:
        raise BrokerError(f"a message can't be written to a file: {error.why}") from error
