"""The stories of `PFX-in.warc.gz`, as the messages of a queue; what is damaged is told."""

from collections.abc import Iterator
from pathlib import Path

import structlog

from indexer.errors import BrokerError, InputError
from indexer.messages.limits import check
from indexer.messages.message import Send
from indexer.messages.topology import delay_queue, fast_queue, quarantine_queue
from indexer.stories.archiving.story_archive_reader import ArchivedStory, Fault, read_stories
from indexer.stories.tools.queue_archives import kept_in, send_of
from indexer.text.unpacking import input_errors

log = structlog.get_logger()

SUFFIX = "-in.warc.gz"

_ASIDE = tuple(name("") for name in (quarantine_queue, delay_queue, fast_queue))
"""How the names of queues end whose messages only their own step gets."""


class StoryInput:
    """A file of stories. Those that another step has set aside are left out.

    `lost` counts what could not be read; each is logged, with its place. Raises InputError, also
    later: the file can't be read.
    """

    def __init__(self, path: Path, step: str) -> None:
        self.path = path
        self.lost = 0
        self._step = step
        with input_errors(str(path)):
            if not path.stat().st_size:
                raise InputError(f"{path}: an empty file is no archive")
            self._file = path.open("rb")

    def messages(self) -> Iterator[Send]:
        """The messages, in order, their x-mc-* headers restored."""
        left_out = 0
        with input_errors(str(self.path)):
            for item in read_stories(self._file):
                if isinstance(item, Fault):
                    self._lose(item.number, item.offset, item.why)
                elif not self._is_ours(item):
                    left_out += 1
                elif send := self._send(item):
                    yield send
        if left_out:
            log.warning("left out: set aside by another step", path=str(self.path), count=left_out)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _is_ours(self, archived: ArchivedStory) -> bool:
        queue = kept_in(archived)
        return not queue.endswith(_ASIDE) or queue.rpartition("-")[0] == self._step

    def _send(self, archived: ArchivedStory) -> Send | None:
        send = send_of(archived, f"{self._step}-in", exchange=False, reset=False)
        try:
            check(send)
        except BrokerError as error:
            self._lose(archived.number, archived.offset, str(error))
            return None
        return send

    def _lose(self, number: int, offset: int, why: str) -> None:
        self.lost += 1
        log.error("lost", path=str(self.path), record=number, offset=offset, why=why)
