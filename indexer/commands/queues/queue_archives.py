"""`qutil dump_archives` and `load_archives`: a queue written to archives, and archives queued."""

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from indexer.broker import Broker
from indexer.broker.moving import ready as waiting
from indexer.broker.moving import taken
from indexer.broker.portions import MESSAGES, portions
from indexer.commands.archives.warc import Files
from indexer.commands.console.entry import INTERRUPTED
from indexer.commands.console.terminal import AsJson, cell, line_of_json
from indexer.commands.queues.brokers import BrokerURL, Data, OpenedBroker, ensure_queue
from indexer.errors import BrokerError, ConfigurationError, Quarantine, StoryIndexerError
from indexer.messages.limits import check
from indexer.messages.message import Delivery, Send
from indexer.messages.topology import Topology, output_exchange
from indexer.stories.archiving.archives import archives, opened
from indexer.stories.archiving.story_archive_reader import ArchivedStory, read_stories
from indexer.stories.tools.domains import DomainFilter
from indexer.stories.tools.queue_archives import send_of
from indexer.stories.tools.queue_dump import Dump
from indexer.system.signals import stop_on_signals

EVERYTHING = 2**31 - 1
TOLD = 20
"""How many of the messages that stay, or records that are lost, are told one by one."""

OUT = output_exchange("")
"""How the names of exchanges end."""


def check_target(name: str) -> None:
    """Raises ConfigurationError if messages must not be put into a queue of that name."""
    if name.endswith(("-delay", "-fast")):
        step = name.rpartition("-")[0]
        raise ConfigurationError(f"what is put into {name} stays there for ever: name {step}-in")
    if name.endswith("-end"):
        raise ConfigurationError(f"{name} keeps nothing: all that is put there is lost")


def dump(  # noqa: PLR0913, PLR0917 - the options of a command
    queue: Annotated[str, typer.Argument(metavar="QUEUE", help="The name of a queue.")],
    output_dir: Annotated[
        Path, typer.Option("--output-dir", metavar="DIR", help="Where the archives go.")
    ] = Path(),
    keep: Annotated[bool, typer.Option("--keep", help="Leave the messages in the queue.")] = False,
    most: Annotated[
        int | None,
        typer.Option("--max", metavar="N", min=1, help="Take no more.", show_default="all"),
    ] = None,
    idle_seconds: Annotated[
        float, typer.Option("--idle-seconds", metavar="S", min=0.1, help="Silence that is the end.")
    ] = 1.0,
    broker: BrokerURL = "",
    data: Data = "",
    as_json: AsJson = False,
) -> None:
    """Write the stories of a queue to archives, 5000 in each, and take them out of it.

    They are QUEUE-TIME-NUMBER-HOST.warc.gz, with the messages' headers as `rabbitmq_headers`. A
    message leaves the queue when its archive is on disk and was read again; whatever happens
    before, it comes back. It ends when the queue is empty. Ctrl-C finishes what was taken (status
    130). What isn't a story stays in the queue (status 1). With --json there is a line for each
    archive, the summary last.

    Examples:

        qutil dump_archives parser-quar

        qutil dump_archives importer-in --keep --max 100 --output-dir /srv/dumps
    """
    stop = stop_on_signals()
    stay = Complaints()
    with OpenedBroker(broker, data) as at, ExitStack() as stack:
        ready = ensure_queue(at, queue).ready
        if keep:
            looking = closing(at.peek(queue, ready if most is None else most))
            deliveries: Iterator[Delivery] = stack.enter_context(looking)
            settle: Callable[[Sequence[Delivery]], None] = _nothing
        else:
            consumer = stack.enter_context(closing(at.consume(queue, most or EVERYTHING)))
            deliveries = taken(
                consumer, most or EVERYTHING, lambda: waiting(at, queue), idle_seconds, stop
            )
            settle = consumer.settle
        writing = stack.enter_context(
            Dump(queue, output_dir, settle, partial(_tell_file, as_json=as_json))
        )
        for delivery in deliveries:
            try:
                writing.add(delivery)
            except Quarantine as error:
                stay.add(f"no story, stays in the queue: {error.why} ({len(delivery.body)} bytes)")
            if stop.is_set():
                break
        writing.finish()
    summary = {"queue": queue, "stories": writing.stories, "stayed": stay.count}
    text = f"{writing.stories} stories of {queue} dumped"
    print(line_of_json({"summary": summary}) if as_json else text)
    stay.end(f"messages are no stories, and stay in {queue}")
    _exit(stopped=stop.is_set(), failed=stay.count > 0)


def load(  # noqa: PLR0913, PLR0917 - the options of a command
    queue: Annotated[
        str, typer.Argument(metavar="QUEUE", help="A queue, or an exchange: parser-in, parser-out.")
    ],
    files: Files,
    dry_run: Annotated[
        int, typer.Option("--dry-run", min=0, max=1, help="0: do it; 1: only say what it would do.")
    ] = 1,
    include: Annotated[
        list[str] | None,
        typer.Option("--include-domain", metavar="DOMAIN", help="Only these; may be repeated."),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option("--exclude-domain", metavar="DOMAIN", help="Not these; may be repeated."),
    ] = None,
    most: Annotated[
        int | None,
        typer.Option("--max", metavar="N", min=1, help="Queue no more.", show_default="all"),
    ] = None,
    skip: Annotated[
        int, typer.Option("--skip", metavar="N", min=0, help="The first N were queued before.")
    ] = 0,
    reset_retries: Annotated[
        bool, typer.Option("--reset-retries", help="As if the stories had never been tried.")
    ] = False,
    broker: BrokerURL = "",
    data: Data = "",
    as_json: AsJson = False,
) -> None:
    """Queue the stories of archives, of a dump or any other; without `--dry-run 0` only say so.

    A dumped queue becomes again what it was: stories and x-mc-* headers. A domain stands for the
    hosts below it too, in the link, the final URL or the URL of a story. Whoever stops it is told
    how to go on: with --skip and the number of stories that were queued, which is also printed
    while it goes on. Without it they are queued a second time. What is damaged is told (status 1),
    and the rest queued.

    Examples:

        qutil load_archives parser-in parser-quar-*.warc.gz

        qutil load_archives importer-in s3://my-bucket/2024/05/* --include-domain site.example

        qutil load_archives parser-in dumps/ --reset-retries --dry-run 0
    """
    check_target(queue)
    stop = stop_on_signals()
    domains = DomainFilter(include or (), exclude or ())
    with OpenedBroker(broker, data) as at:
        _check_there(at, queue)
        loading = _Loading(queue, domains, skip, most, reset=reset_retries)
        publish = _nothing if dry_run else at.publish
        loading.run(files, publish, stop)
    summary = loading.summary(dry_run=bool(dry_run))
    print(line_of_json(loading.counts(dry_run=bool(dry_run))) if as_json else summary)
    loading.lost.end("records or stories could not be queued")
    _exit(stopped=stop.is_set(), failed=loading.lost.count > 0)


class Complaints:
    """What could not be handled: the first are told one by one, of the others how many."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, text: str) -> None:
        """Tell one."""
        self.count += 1
        if self.count <= TOLD:
            print(cell(text), file=sys.stderr)

    def end(self, text: str) -> None:
        """Tell how many they were, if there were any."""
        if self.count:
            print(f"{self.count} {text}", file=sys.stderr)


class _Loading:
    """Stories on their way from archives to a queue, and how many became what."""

    def __init__(
        self, target: str, domains: DomainFilter, skip: int, most: int | None, *, reset: bool
    ) -> None:
        self._target = target
        self._domains = domains
        self._skip = skip
        self._most = EVERYTHING if most is None else most
        self._reset = reset
        self._left_out = 0
        self._queued = 0
        # How many of the stories that are wanted were looked at; and how many of them are settled.
        self._place = self._done = skip
        self.lost = Complaints()

    def run(
        self,
        files: Sequence[str],
        publish: Callable[[Sequence[Send]], object],
        stop: threading.Event,
    ) -> None:
        """Publish the stories, some hundred at a time. Says how to go on if it fails or stops."""
        acts = publish is not _nothing
        try:
            for portion in portions(self._sends(files)):
                publish(portion)
                self._queued += len(portion)
                self._done = self._place
                if acts:
                    print(f"{self._queued} queued (--skip {self._done})", file=sys.stderr)
                if stop.is_set():
                    break
        except BrokerError:
            if acts:
                self._say_how_to_go_on(f", perhaps some of the next {MESSAGES} too")
            raise
        except StoryIndexerError:
            if self._queued and acts:
                self._say_how_to_go_on()
            raise
        if stop.is_set() and acts:
            self._say_how_to_go_on()

    def summary(self, *, dry_run: bool) -> str:
        """What was done, or would be."""
        others = f", {self._left_out} of other domains left out" if self._left_out else ""
        if dry_run:
            would = f"would queue {self._queued} stories to {self._target}"
            return f"{would}{others}; --dry-run 0 does it"
        return f"{self._queued} stories queued to {self._target}{others}"

    def counts(self, *, dry_run: bool) -> dict[str, Any]:
        """The same, for a program; `skip` is what to go on with."""
        return {
            "to": self._target,
            "dry_run": dry_run,
            "queued": self._queued,
            "left_out": self._left_out,
            "lost": self.lost.count,
            "skip": self._done,
        }

    def _sends(self, files: Sequence[str]) -> Iterator[Send]:
        left = self._most
        for name, story in islice(self._stories(files), self._skip, None):
            if left <= 0:
                return
            self._place += 1
            exchange = self._target.endswith(OUT)
            send = send_of(story, self._target, exchange=exchange, reset=self._reset)
            try:
                check(send)
            except BrokerError as error:
                self.lost.add(f"{name}: record {story.number}: {error}")
                continue
            left -= 1
            yield send

    def _stories(self, files: Sequence[str]) -> Iterator[tuple[str, ArchivedStory]]:
        """The stories that are wanted, in order, with the names of their archives."""
        for each in archives(files):
            with opened(each) as file:
                for item in read_stories(file):
                    if not isinstance(item, ArchivedStory):
                        self.lost.add(f"{each.name}: {item}")
                    elif self._domains.match(item.story):
                        yield each.name, item
                    else:
                        self._left_out += 1

    def _say_how_to_go_on(self, but: str = "") -> None:
        print(f"{self._queued} queued{but}: go on with --skip {self._done}", file=sys.stderr)


def _check_there(broker: Broker, target: str) -> None:
    """Raises BrokerError if there is no such queue or exchange."""
    if not target.endswith(OUT):
        ensure_queue(broker, target)
    elif f"no exchange {target}" in broker.declared(Topology(exchanges=[target])):
        raise BrokerError(f"no exchange {target}")


def _tell_file(path: Path, stories: int, *, as_json: bool) -> None:
    values = {"file": str(path), "stories": stories}
    print(line_of_json(values) if as_json else f"{path}: {stories} stories")


def _nothing(_: object) -> None:
    pass


def _exit(*, stopped: bool, failed: bool) -> None:
    if stopped:
        print("stopped before the end", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(1 if failed else 0)
