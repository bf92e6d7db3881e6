"""Test mode: a program without queues, from one file of stories to another (stories.md 3.9).

    PFX-in.warc.gz → StoryInput → StoryFileConsumer → program → StoryOutput → PFX-out.warc.gz

The files are as `qutil dump_archives` writes them: what one program wrote is what the next reads,
once it is renamed, and `qutil load_archives` queues it.
"""

from collections.abc import Generator, Iterable
from contextlib import AbstractContextManager
from itertools import count, islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import structlog
from pydantic import model_validator

from indexer.broker import Broker, Depth
from indexer.errors import BrokerError, InputError
from indexer.messages.message import Delivery, Send
from indexer.messages.topology import Topology
from indexer.programs.settings import AppOptions
from indexer.stories.tools import story_file_input, story_file_output
from indexer.stories.tools.story_file_consumer import StoryFileConsumer
from indexer.stories.tools.story_file_input import StoryInput
from indexer.stories.tools.story_file_output import StoryOutput
from indexer.system.options import option

log = structlog.get_logger()

_IMPLIED: dict[str, object] = {
    "until_empty": True,
    "deployment_id": "",
    "breadcrumb_exchange": "",
    "watch_queues": [],
    "min_disk_free": 0.0,
}
"""What `--test-file-prefix` means for other options: there are no queues to wait for."""


class StoryFileOptions(AppOptions):
    """What every program of stories can be told, so that it needs no broker."""

    test_file_prefix: str = option(
        "",
        "for tests, without queues: read PREFIX-in.warc.gz, write PREFIX-out.warc.gz, and end",
        "TEST_FILE_PREFIX",
    )

    @model_validator(mode="before")
    @classmethod
    def _without_queues(cls, given: dict[str, Any]) -> dict[str, Any]:
        if not given.get("test_file_prefix"):
            return given
        return given | {name: _IMPLIED[name] for name in _IMPLIED if name in cls.model_fields}

    def opened(self) -> AbstractContextManager[Broker]:
        """The two files, where that was asked for, else the broker."""
        return StoryFiles(self.test_file_prefix) if self.test_file_prefix else super().opened()


class StoryFiles:
    """A `Broker` of two files: one queue, which is read once, and what is sent anywhere.

    Used as a context. The file that is written gets its name when that ends well, which it doesn't
    before the input was read to its end. Raises InputError then, and also when something of the
    input was lost. Where nothing is taken or sent, no file is written.
    """

    def __init__(self, prefix: str) -> None:
        self._in = Path(prefix + story_file_input.SUFFIX)
        self._out = Path(prefix + story_file_output.SUFFIX)
        self._input: StoryInput | None = None
        self._consumer: StoryFileConsumer | None = None
        self._output: StoryOutput | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        finished = self._consumer is None or self._consumer.finished
        if self._output is not None and kind is None and finished:
            self._output.seal()
            log.info("written", path=str(self._out), stories=self._output.stories)
            self._output = None
        elif self._output is not None:
            log.error("not finished", path=str(self._output.aside), stories=self._output.stories)
        self.close()
        if kind is None:
            self._complain(finished=finished)

    def _complain(self, *, finished: bool) -> None:
        if not finished:
            raise InputError(f"{self._in}: stopped before its end")
        if self._input is not None and self._input.lost:
            raise InputError(f"{self._in}: {self._input.lost} records could not be read")

    def publish(self, sends: Iterable[Send]) -> None:
        """See `Broker`. Raises OSError where the file can't be written."""
        output = self._opened_output()
        output.write(sends)
        output.sync()

    def consume(self, queue: str, prefetch: int) -> StoryFileConsumer:
        """See `Broker`: the messages of the file, whatever the queue's name. Only once."""
        if self._consumer is not None:
            raise BrokerError(f"{self._in} is read only once")
        step = queue.rpartition("-")[0]
        self._input = StoryInput(self._in, step)
        write = self._opened_output().write
        self._consumer = StoryFileConsumer(step, self._input.messages(), prefetch, write)
        return self._consumer

    def peek(self, queue: str, limit: int) -> Generator[Delivery, None, None]:
        """See `Broker`."""
        looked_at = StoryInput(self._in, queue.rpartition("-")[0])
        try:
            for tag, send in zip(count(1), islice(looked_at.messages(), limit), strict=False):
                yield Delivery(tag, send.body, headers=send.headers)
        finally:
            looked_at.close()

    def close(self) -> None:
        """See `Broker`."""
        if self._input is not None:
            self._input.close()
        if self._output is not None:
            self._output.close()
            self._output = None

    def declare(self, topology: Topology) -> None:
        """See `Broker`: a file takes what is sent anywhere."""

    def declared(self, topology: Topology) -> list[str]:  # noqa: ARG002 - a Broker's
        """See `Broker`."""
        return []

    def delete(self, topology: Topology) -> None:
        """See `Broker`: the files stay."""

    def queues(self) -> list[str] | None:
        """See `Broker`: a file doesn't tell."""
        return None

    def exchanges(self) -> list[str]:
        """See `Broker`."""
        return []

    def depth(self, queue: str) -> Depth | None:  # noqa: ARG002 - a Broker's
        """See `Broker`: a file doesn't tell."""
        return None

    def purge(self, queue: str) -> int:  # noqa: ARG002 - a Broker's
        """See `Broker`: the files stay."""
        return 0

    def _opened_output(self) -> StoryOutput:
        if self._output is None:
            self._output = StoryOutput(self._out)
        return self._output
