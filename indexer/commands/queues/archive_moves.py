"""Queues written to archives, and archives queued."""

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import typer

from indexer.broker import Broker
from indexer.broker.moving import MESSAGES, portions, ready, taken
from indexer.commands.console.terminal import cell, line_of_json
from indexer.commands.queues.brokers import ensure_queue, opened
from indexer.commands.queues.queue_archives import DumpOptions, LoadOptions
from indexer.errors import BrokerError, Quarantine, StoryIndexerError
from indexer.messages.message import Delivery, Send, check
from indexer.messages.topology import Topology, output_exchange
from indexer.stories.archiving.archives import archives
from indexer.stories.archiving.archives import opened as opened_archive
from indexer.stories.archiving.story_archive_reader import ArchivedStory, read_stories
from indexer.stories.tools.queue_archives import DomainFilter, send_of
from indexer.stories.tools.queue_dump import Dump
from indexer.system.signals import INTERRUPTED, stop_on_signals

EVERYTHING = 2**31 - 1
TOLD = 20
"""Messages that stay, or records that are lost, which are printed one by one."""

OUT = output_exchange("")
"""The end of an exchange's name."""


def dump_queue(queue: str, options: DumpOptions) -> None:
    """Write the stories of a queue to archives. Raises typer.Exit with the status."""
    stop = stop_on_signals()
    stay = Complaints()
    with opened(options) as broker, ExitStack() as stack:
        deliveries, settle = _deliveries(broker, queue, options, stop, stack)
        done = partial(_print_file, as_json=options.json_)
        writing = stack.enter_context(Dump(queue, options.output_dir, settle, done))
        for delivery in deliveries:
            try:
                writing.add(delivery)
            except Quarantine as error:
                stay.add(f"no story, stays in the queue: {error.why} ({len(delivery.body)} bytes)")
            # The messages taken so far are written and settled below.
            if stop.is_set():
                break
        writing.finish()
    summary = {"queue": queue, "stories": writing.stories, "stayed": stay.count}
    text = f"{writing.stories} stories of {queue} dumped"
    print(line_of_json({"summary": summary}) if options.json_ else text)
    stay.end(f"messages are no stories, and stay in {queue}")
    _exit(stopped=stop.is_set(), failed=stay.count > 0)


Settle = Callable[[Sequence[Delivery]], None]


def _deliveries(
    broker: Broker, queue: str, options: DumpOptions, stop: threading.Event, stack: ExitStack
) -> tuple[Iterator[Delivery], Settle]:
    """Return the messages of a queue, and the function that takes them out of it."""
    depth = ensure_queue(broker, queue)
    if options.keep:
        count = depth.ready if options.max_ is None else options.max_
        return stack.enter_context(closing(broker.peek(queue, count))), lambda _: None
    count = options.max_ or EVERYTHING
    consumer = stack.enter_context(closing(broker.consume(queue, count)))
    waiting = partial(ready, broker, queue)
    return taken(consumer, count, waiting, options.idle_seconds, stop), consumer.settle


def load_archives(queue: str, files: Sequence[str], options: LoadOptions) -> None:
    """Queue the stories of archives. Raises typer.Exit with the status."""
    stop = stop_on_signals()
    with opened(options) as broker:
        _check_there(broker, queue)
        loading = _Loading(queue, options)
        loading.run(files, broker, stop)
    print(line_of_json(loading.counts()) if options.json_ else loading.summary())
    loading.lost.end("records or stories could not be queued")
    _exit(stopped=stop.is_set(), failed=loading.lost.count > 0)


class Complaints:
    """Messages or records that could not be handled: the first are printed, all are counted."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, text: str) -> None:
        """Print one, and count it."""
        self.count += 1
        if self.count <= TOLD:
            print(cell(text), file=sys.stderr)

    def end(self, text: str) -> None:
        """Print their number, if there were any."""
        if self.count:
            print(f"{self.count} {text}", file=sys.stderr)


class _Loading:
    """Queues stories of archives, and counts them."""

    def __init__(self, target: str, options: LoadOptions) -> None:
        self._target = target
        self._options = options
        self._domains = DomainFilter(options.include_domain, options.exclude_domain)
        self._left_out = 0
        self._queued = 0
        # How many of the wanted stories were read, and how many of these the broker has confirmed.
        self._place = self._done = options.skip
        self.lost = Complaints()

    def run(self, files: Sequence[str], broker: Broker, stop: threading.Event) -> None:
        """Publish the stories, some hundred at a time; print how to continue if that ends early."""
        try:
            for portion in portions(self._sends(files)):
                if not self._options.dry_run:
                    broker.publish(portion)
                self._queued += len(portion)
                self._done = self._place
                if not self._options.dry_run:
                    print(f"{self._queued} queued (--skip {self._done})", file=sys.stderr)
                if stop.is_set():
                    break
        except BrokerError:
            # The broker may have stored messages that it could not confirm any more.
            self._print_skip(f", perhaps some of the next {MESSAGES} too")
            raise
        except StoryIndexerError:
            if self._queued:
                self._print_skip()
            raise
        if stop.is_set():
            self._print_skip()

    def summary(self) -> str:
        """Return a line for a person."""
        others = f", {self._left_out} of other domains left out" if self._left_out else ""
        if self._options.dry_run:
            would = f"would queue {self._queued} stories to {self._target}"
            return f"{would}{others}; --dry-run 0 does it"
        return f"{self._queued} stories queued to {self._target}{others}"

    def counts(self) -> dict[str, Any]:
        """Return the same numbers for a program; `skip` is the number to continue with."""
        return {
            "to": self._target,
            "dry_run": bool(self._options.dry_run),
            "queued": self._queued,
            "left_out": self._left_out,
            "lost": self.lost.count,
            "skip": self._done,
        }

    def _sends(self, files: Sequence[str]) -> Iterator[Send]:
        left = self._options.max_ or EVERYTHING
        for name, story in islice(self._stories(files), self._options.skip, None):
            if left <= 0:
                return
            self._place += 1
            exchange = self._target.endswith(OUT)
            reset = self._options.reset_retries
            send = send_of(story, self._target, exchange=exchange, reset=reset)
            try:
                check(send)
            except BrokerError as error:
                self.lost.add(f"{name}: record {story.number}: {error}")
                continue
            left -= 1
            yield send

    def _stories(self, files: Sequence[str]) -> Iterator[tuple[str, ArchivedStory]]:
        """Yield the stories of the wanted domains, in order, with the names of their archives."""
        # Always in the same order: --skip counts stories.
        for each in archives(files):
            with opened_archive(each) as file:
                for item in read_stories(file):
                    if not isinstance(item, ArchivedStory):
                        self.lost.add(f"{each.name}: {item}")
                    elif self._domains.match(item.story):
                        yield each.name, item
                    else:
                        self._left_out += 1

    def _print_skip(self, but: str = "") -> None:
        """Print how to continue; a dry run has nothing to continue."""
        if not self._options.dry_run:
            print(f"{self._queued} queued{but}: go on with --skip {self._done}", file=sys.stderr)


def _check_there(broker: Broker, target: str) -> None:
    """Raise BrokerError if the queue or exchange does not exist."""
    if not target.endswith(OUT):
        ensure_queue(broker, target)
    elif f"no exchange {target}" in broker.declared(Topology(exchanges=[target])):
        raise BrokerError(f"no exchange {target}")


def _print_file(path: Path, stories: int, *, as_json: bool) -> None:
    values = {"file": str(path), "stories": stories}
    print(line_of_json(values) if as_json else f"{path}: {stories} stories")


def _exit(*, stopped: bool, failed: bool) -> None:
    if stopped:
        print("stopped before the end", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(1 if failed else 0)
