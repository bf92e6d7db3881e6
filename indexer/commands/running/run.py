"""`story-indexer run`: a whole pipeline on this machine, from inputs to index and archive."""

import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, TextIO

import msgspec
import typer
from pydantic import Field
from rich.console import Console

from indexer.broker import Broker
from indexer.commands.archives import differences
from indexer.commands.console.parameters import INTERRUPTED, with_options
from indexer.commands.console.terminal import say
from indexer.commands.running import choice, summary
from indexer.commands.running.plan import (
    DIFFERENCES,
    LAPTOP,
    SAMPLE,
    RunRequest,
    alone,
    check_backends,
    given_to_programs,
    make_plan,
    pairs,
    prepared_queues,
)
from indexer.commands.running.progress import RunProgress, ticking
from indexer.commands.running.run_options import PipelineOptions, suggest
from indexer.commands.running.summary import ARCHIVER, Before, Summary, summarize
from indexer.errors import ConfigurationError
from indexer.http.urls.parts import without_credentials
from indexer.messages.topology import Pipeline
from indexer.running.supervisor import RunPlan, Supervisor, left, quarantined
from indexer.running.tally import Tally
from indexer.stories.indexing.differences import DifferencesReport
from indexer.stories.indexing.differences import summarize as sum_up
from indexer.system import logs
from indexer.system.options import option
from indexer.system.signals import stop_on_signals
from newsroom.server import Newsroom


class RunOptions(PipelineOptions):
    """Options of `run`."""

    type: str = option(
        "", "The flavor; default: the one that reads these inputs.", short="t", metavar="FLAVOR"
    )
    replicas: list[str] = option(
        [], "Start N processes of a step, like parser=2; repeatable.", metavar="STEP=N"
    )
    interval: Annotated[float | None, Field(ge=0)] = option(
        None, "Shortest time between two pages of one host.", metavar="SECONDS"
    )
    force: bool = option(False, "Also read inputs that were read before.", short="f")
    dry_run: bool = option(False, "With --type reparse: only show what would change.", short="n")


@with_options
def run(
    options: RunOptions,
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[INPUT]...",
            help="Feeds, sitemaps, CSV files, lists of URLs or pages: files, directories, "
            "http(s):// or s3:// URLs (a trailing * is a wildcard), @FILE with one a line, - for "
            "standard input. Default: the sample newsroom.",
        ),
    ] = None,
) -> None:
    """Fetch, parse, index and archive the stories of feeds, sitemaps, CSV files and URL lists.

    Each program of the flavor runs as a process of its own, until all queues are empty. Ctrl-C
    stops cleanly: the same command continues later. Inputs that were read before are skipped.

    Examples:

        story-indexer run                                  the sample newsroom

        story-indexer run https://site.example/feed.xml --contact https://me.example/

        story-indexer run urls.csv --replicas parser=2 --data /srv/news

        story-indexer run data/archive --data restored      archives into another index

        story-indexer run --type reparse data/archive --dry-run
    """
    settings = {
        "FETCHER_MIN_INTERVAL_SECONDS": options.interval,
        "FETCHER_CONTACT_URL": options.contact,
    }
    replicas = pairs("--replicas", options.replicas)
    request = options.request(
        inputs,
        options.type,
        settings,
        replicas={step: _count(step, number) for step, number in replicas.items()},
        force=options.force,
        dry_run=options.dry_run,
    )
    logs.set_up("warning")
    console = Console(stderr=options.json_)
    result = Run(request, console).perform(stop_on_signals())
    if options.json_:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(result)).decode() + "\n")
    else:
        _show(options, request, result, console)
    # Stopped by a signal, or with stories left in the queues.
    if not result.complete:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(1 if result.unread else 0)


def _show(options: RunOptions, request: RunRequest, result: Summary, console: Console) -> None:
    """Print the summary for a person, and commands to continue with."""
    summary.show(result, console)
    if result.differences is not None:
        differences.show(result.differences, console)
    search = ""
    if result.indexed or result.duplicates:
        where = f" --index {result.index}" if request.index else ""
        # The words are in several stories of the sample newsroom.
        words = "WORDS" if request.inputs else "'harbour OR puerto'"
        search = f"{options.data_flag}{where} {words}"
    suggest(console, search, result.warc_files)


class Run:
    """One run: its request and its counts."""

    def __init__(self, request: RunRequest, console: Console) -> None:
        self.tally = Tally()
        self._request = request
        self._console = console
        self._stack = ExitStack()
        self._unread: list[str] = []

    def perform(self, stop: threading.Event) -> Summary:
        """Run until all queues are empty, or `stop` is set.

        Raises ConfigurationError, InputError, BrokerError, ProgramFailed.
        """
        started = time.monotonic()
        with self._stack:
            lock = self._stack.enter_context(alone(self._request.data))
            inputs, settings = self._inputs()
            given = given_to_programs(self._request, settings)
            chosen = choice.choose(inputs, self._request.type, self._request.data, given)
            for line in [*chosen.notes, *(f"not read: {why}" for why in chosen.unread)]:
                say(self._console, line)
            plan = make_plan(self._request, chosen, given)
            # Before programs start: their errors would only be in log files.
            check_backends(given)
            before, complete, after = self._supervise(plan, given["BROKER_URL"], lock, stop)
            result = summarize(
                self.tally,
                before,
                after,
                index=without_credentials(given["INDEX_URL"]),
                seconds=time.monotonic() - started,
                complete=complete and not after.waiting and not after.unarchived,
                unread=[*chosen.unread, *self._unread],
            )
            return msgspec.structs.replace(result, differences=_differences(plan))

    def _inputs(self) -> tuple[list[str], dict[str, str]]:
        """Return the inputs and default settings; without inputs, those of the sample newsroom."""
        if not self._request.wants_sample:
            return list(self._request.inputs), LAPTOP
        room = self._stack.enter_context(Newsroom())
        self._console.print(f"No input given: the sample newsroom, {len(room.inputs)} inputs.")
        return list(room.inputs), LAPTOP | SAMPLE | {"FETCHER_RESOLVE": " ".join(room.addresses)}

    def _supervise(
        self, plan: RunPlan, url: str, lock: TextIO, stop: threading.Event
    ) -> tuple[Before, bool, Before]:
        """Run the programs; return the counts before, whether all was done, the counts after."""
        dry_run = self._request.dry_run
        broker = self._stack.enter_context(prepared_queues(plan, url, lock, dry_run=dry_run))
        before = _count_queues(plan.pipeline, broker)
        supervisor = Supervisor(plan, broker, self.tally)
        with RunProgress(
            plan.started, broker, self.tally, supervisor.unsettled, self._console
        ) as progress:
            supervisor.tick = ticking(stop, progress.tick, self._console)
            complete = supervisor.run(stop)
        self._unread = supervisor.unread
        return before, complete, _count_queues(plan.pipeline, broker)


def _differences(plan: RunPlan) -> DifferencesReport | None:
    """Return the changes of a flavor that updates the index, also of a dry run."""
    directory = Path(plan.environment.get(DIFFERENCES, ""))
    return sum_up([directory]) if DIFFERENCES in plan.environment and directory.is_dir() else None


def _count_queues(pipeline: Pipeline, broker: Broker) -> Before:
    steps = [step.name for step in pipeline.steps if pipeline.consumes(step)]
    return Before(
        waiting=sum(left(broker, step) for step in steps if step != ARCHIVER),
        unarchived=sum(left(broker, step) for step in steps if step == ARCHIVER),
        quarantined=sum(quarantined(broker, step) for step in steps),
    )


def _count(step: str, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ConfigurationError(f"--replicas {step}={text}: N must be 1 or more")
    return int(text)
