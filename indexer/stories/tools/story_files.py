"""Test mode: a program reads stories from one file and writes to another (stories.md 3.9).

    PFX-in.warc.gz → temporary queues → program → temporary queues → PFX-out.warc.gz
    file-out → P-in → program → P-out → sent-in;  P-quar stays;  P-fast, P-delay… → P-in in a moment

The queues are one step's, in an SQLite file, with retries at once.

The files are as `qutil dump_archives` writes them: the output of one program, renamed, is the input
of the next, and `qutil load_archives` queues it.
"""

import dataclasses
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from indexer.broker import Consumer
from indexer.broker.sqlite.broker import SQLiteBroker
from indexer.errors import BrokerError, ConfigurationError, InputError
from indexer.files.locks import try_lock
from indexer.files.whole_files import move_into_place, sync_file
from indexer.loops.watermarks import queued
from indexer.messages.message import Delivery, Send, check
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.topology import (
    input_queue,
    output_exchange,
    quarantine_queue,
    waiting_queues,
)
from indexer.stories.archiving.story_archive_reader import ArchivedStory, Fault, read_stories
from indexer.stories.archiving.story_archive_writer import StoryArchiveWriter
from indexer.stories.tools.queue_archives import entry_of, kept_in, send_of
from indexer.system.loggers import get_logger
from indexer.text.unpacking import input_errors

log = get_logger()

PAUSE = 0.25
"""Seconds that stand for every delay, of minutes or hours: rate limits of sites need real time."""

TURNS = 2400
"""How often a message is put back: for ten minutes. The number of retries is limited, but messages
that come too early are put back without a limit, and a test has to end."""

SOURCE, _SENT = "file", "sent"
"""The steps before and after the program: the input file, and the messages for the output file."""

_ASIDE = (quarantine_queue(""), *waiting_queues(""))
"""The ends of the names of queues whose messages only their own step handles."""


class StoryFileBroker(SQLiteBroker):
    """The queues of one step, in a file that is removed with its directory."""

    def __init__(self, directory: Path, step: str) -> None:
        self.path = directory / "queues.sqlite3"
        super().__init__(self.path)
        self._step = step
        steps = [Step(SOURCE, to=[step]), Step(step, to=[_SENT]), Step(_SENT)]
        self.declare(Pipeline("test-files", steps).compile())

    def consume(self, queue: str, prefetch: int) -> Consumer:
        """See `Broker`. Retries wait for a moment, not for an hour."""
        return _Consumer(self, super().consume(queue, prefetch), self._step)

    @property
    def left(self) -> int:
        """The number of messages that the step has to handle, retries included."""
        rooms = (input_queue(self._step), *waiting_queues(self._step))
        return queued(self, rooms) or 0

    def sent(self) -> Sequence[tuple[str, str, str]]:
        """The queues to write: the name of each, and the exchange and key of its messages."""
        step = self._step
        return [
            (input_queue(_SENT), output_exchange(step), ""),
            (quarantine_queue(step), "", quarantine_queue(step)),
            *(
                (sent, "", queue)
                for sent, queue in zip(waiting_queues(_SENT), waiting_queues(step), strict=True)
            ),
        ]


class _Consumer:
    """A `Consumer` of a step's input that finds it empty only when nothing waits for a retry."""

    def __init__(self, broker: StoryFileBroker, consumer: Consumer, step: str) -> None:
        self._broker = broker
        self._consumer = consumer
        self._input = input_queue(step)
        self._rooms = dict(zip(waiting_queues(step), waiting_queues(_SENT), strict=True))
        self._turns: Counter[int] = Counter()

    def receive(self, timeout: float) -> Delivery | None:
        """See `Consumer`. It takes longer when nothing but retries is left, and they wait."""
        wait = 0.0
        while (delivery := self._consumer.receive(wait)) is None:
            depth = self._broker.depth(self._input)
            if depth and depth.unsettled:
                # The loop has messages to handle meanwhile: it must not wait here for retries.
                return self._consumer.receive(min(timeout, PAUSE))
            if not self._broker.left:
                return None
            wait = PAUSE
        return delivery

    def is_empty(self) -> bool:
        """See `Consumer`."""
        return self._consumer.is_empty()

    def settle(self, deliveries: Sequence[Delivery], sends: Sequence[Send] = ()) -> None:
        """See `Consumer`."""
        self._consumer.settle(deliveries, [self._sooner(send) for send in sends])

    def close(self) -> None:
        """See `Consumer`."""
        self._consumer.close()

    def _sooner(self, send: Send) -> Send:
        """The send of a retry with a short delay; with TURNS retries, a send to the output file."""
        if send.exchange or send.key not in self._rooms:
            return send
        story = hash(send.body)
        self._turns[story] += 1
        if self._turns[story] < TURNS:
            return replace(send, delay=PAUSE)
        log.warning(
            "put back too often: written to the file as it waits", queue=send.key, turns=TURNS
        )
        return replace(send, key=self._rooms[send.key], delay=None)


@contextmanager
def story_files(prefix: str, step: str, *, reads: bool = True) -> Iterator[StoryFileBroker]:
    """Temporary queues of a step: filled from PREFIX-in at the start, written to PREFIX-out.

    PREFIX-out.warc.gz.tmp gets its final name when all of the input was handled. A producer, which
    does not read, writes no file if it sent nothing. Raises InputError if the input can't be read,
    has damaged records, or was not handled to its end; ConfigurationError if another program uses
    the prefix.
    """
    source = Path(f"{prefix}-in.warc.gz")
    with (
        TemporaryDirectory(prefix="story-files-") as directory,
        closing(StoryFileBroker(Path(directory), step)) as broker,
    ):
        lost: list[Fault] = []
        if reads:
            broker.publish(_messages(source, step, lost))
        with _output(Path(f"{prefix}-out.warc.gz"), broker, always=reads):
            yield broker
        if broker.left:
            raise InputError(f"{source}: stopped before its end")
    if lost:
        raise InputError(f"{source}: {len(lost)} records could not be read")


def _messages(path: Path, step: str, lost: list[Fault]) -> Iterator[Send]:
    """The stories of a file as messages, headers restored; `lost` gets damaged records."""
    left_out = 0
    with input_errors(str(path)):
        if not path.stat().st_size:
            raise InputError(f"{path}: an empty file is no archive")
        with path.open("rb") as file:
            for item in read_stories(file):
                message = _message(item, step) if isinstance(item, ArchivedStory) else item
                if isinstance(message, Fault):
                    log.error("lost", path=str(path), **dataclasses.asdict(message))
                    lost.append(message)
                elif message is None:
                    left_out += 1
                else:
                    yield message
    if left_out:
        log.warning("left out: set aside by another step", path=str(path), count=left_out)


def _message(archived: ArchivedStory, step: str) -> Send | Fault | None:
    """The message of a story; None for a story that another step has set aside."""
    queue = kept_in(archived)
    if queue.endswith(_ASIDE) and queue not in (quarantine_queue(step), *waiting_queues(step)):
        return None
    send = send_of(archived, output_exchange(SOURCE), exchange=True, reset=False)
    try:
        check(send)
    except BrokerError as error:
        return Fault(archived.number, archived.offset, str(error))
    return send


@contextmanager
def _output(path: Path, broker: StoryFileBroker, *, always: bool) -> Iterator[None]:
    """Write the messages sent meanwhile to PATH.tmp; rename it to PATH if all input is handled."""
    aside = path.with_name(f"{path.name}.tmp")
    lock = try_lock(aside)
    if lock is None:
        raise ConfigurationError(f"another program is writing {path}")
    finished = False
    try:
        yield
        finished = not broker.left
    finally:
        # Also after an error: the .tmp file shows the output so far.
        stories = _write(broker, aside)
        if finished and (always or stories):
            # While the lock is held: another program that took it in between would empty the file.
            move_into_place(aside, path)
            log.info("written", path=str(path), stories=stories)
        elif always or stories:
            log.error("not finished", path=str(aside), stories=stories)
        else:
            aside.unlink()
        lock.close()


def _write(broker: StoryFileBroker, path: Path) -> int:
    """Write all messages sent, with exchange and key; the number of stories."""
    with path.open("wb") as file:
        # Archives that are kept have at most 5000 stories; this one passes on a whole queue.
        writer = StoryArchiveWriter(file, path.stem, most=sys.maxsize)
        for queue, exchange, key in broker.sent():
            for delivery in broker.peek(queue, sys.maxsize):
                writer.write(entry_of(key or delivery.key, delivery, exchange))
        sync_file(file)
    return writer.stories
