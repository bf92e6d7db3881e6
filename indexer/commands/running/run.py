"""`story-indexer run`: a whole pipeline on this machine, from inputs to index and archive."""

import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, TextIO

import msgspec
import typer
from rich.console import Console

from indexer.broker import Broker, open_broker
from indexer.commands.archives import differences
from indexer.commands.console.entry import INTERRUPTED
from indexer.commands.console.terminal import say, this_command
from indexer.commands.running import choice, summary
from indexer.commands.running.alone import alone
from indexer.commands.running.plan import (
    DIFFERENCES,
    LAPTOP,
    SAMPLE,
    RunOptions,
    RunRequest,
    check_backends,
    ensure_same_way,
    given_to_programs,
    make_plan,
    pairs,
    topologies,
)
from indexer.commands.running.progress import RunProgress, ticking
from indexer.commands.running.run_options import (
    ArchiveURLs,
    BrokerURL,
    Contact,
    Data,
    IndexURL,
    Settings,
)
from indexer.commands.running.summary import ARCHIVER, Before, Summary, summarize
from indexer.errors import ConfigurationError
from indexer.http.urls.redaction import without_credentials
from indexer.messages.topology import Pipeline
from indexer.running.supervisor import RunPlan, Supervisor, left, quarantined
from indexer.running.tally import Tally
from indexer.stories.indexing.differences import DifferencesReport
from indexer.stories.indexing.differences import summarize as sum_up
from indexer.system import logs
from indexer.system.options import environment
from indexer.system.signals import stop_on_signals
from newsroom.server import Newsroom

BREADCRUMBS = "BREADCRUMB_EXCHANGE"


def run(  # noqa: PLR0913, PLR0917 - the options of a command
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[INPUT]...",
            help="Feeds, sitemaps, CSV files, lists of URLs or pages: files, directories, "
            "http(s):// or s3:// URLs (a trailing * is a wildcard), @FILE with one a line, - for "
            "standard input. Without any: the sample newsroom.",
        ),
    ] = None,
    type: Annotated[
        str,
        typer.Option("--type", "-t", metavar="FLAVOR", help="Flavor; else told by the inputs."),
    ] = "",
    data: Data = None,
    broker: BrokerURL = "",
    index: IndexURL = "",
    archive: ArchiveURLs = None,
    replicas: Annotated[
        list[str] | None,
        typer.Option("--replicas", metavar="STEP=N", help="More of a program: parser=2."),
    ] = None,
    interval: Annotated[
        float | None,
        typer.Option(
            "--interval",
            metavar="SECONDS",
            min=0,
            help="Least time between two pages of one host.",
        ),
    ] = None,
    contact: Contact = "",
    setting: Settings = None,
    force: Annotated[
        bool, typer.Option("--force", "-f", help="Also inputs that were done before.")
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", "-n", help="With --type reparse: only tell what would change."),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="The summary as JSON, on standard output.")
    ] = False,
) -> None:
    """Fetch, parse, index and archive the stories of feeds, sitemaps, CSV files and URL lists.

    Every program of the flavor is started as a process of its own; it ends when all queues are
    empty. Ctrl-C stops cleanly: run it again and it goes on where it stopped. Inputs that are
    done are skipped.

    Examples:

        story-indexer run                                  the sample newsroom

        story-indexer run https://site.example/feed.xml --contact https://me.example/

        story-indexer run urls.csv --replicas parser=2 --data /srv/news

        story-indexer run data/archive --data restored      archives into another index

        story-indexer run --type reparse data/archive --dry-run
    """
    known = RunOptions.of(environment())
    settings = pairs("--set", setting or [])
    if interval is not None:
        settings["FETCHER_MIN_INTERVAL_SECONDS"] = str(interval)
    if contact:
        settings["FETCHER_CONTACT_URL"] = contact
    request = RunRequest(
        inputs=inputs or [],
        type=type,
        data=data or known.data,
        broker=broker or known.broker_url.get_secret_value(),
        index=index or known.index_url.get_secret_value(),
        archives=archive or known.archive_url,
        replicas={step: _count(step, n) for step, n in pairs("--replicas", replicas or []).items()},
        settings=settings,
        force=force,
        dry_run=dry_run,
    )
    logs.set_up("warning")
    console = Console(stderr=as_json)
    result = Run(request, console).perform(stop_on_signals())
    if as_json:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(result)).decode() + "\n")
    else:
        summary.show(result, console)
        if result.differences is not None:
            differences.show(result.differences, console)
        _say_what_next(request, result, console)
    if not result.complete:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(1 if result.unread else 0)


class Run:
    """One run: its request, and its counts."""

    def __init__(self, request: RunRequest, console: Console) -> None:
        self.tally = Tally()
        self._request = request
        self._console = console
        self._stack = ExitStack()
        self._unread: list[str] = []

    def perform(self, stop: threading.Event) -> Summary:
        """Run until all is drained or `stop` is set.

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
        """What to read, and the settings that go with it: by default the sample newsroom."""
        if not self._request.wants_sample:
            return list(self._request.inputs), LAPTOP
        room = self._stack.enter_context(Newsroom())
        self._console.print(f"No input given: the sample newsroom, {len(room.inputs)} inputs.")
        return list(room.inputs), LAPTOP | SAMPLE | {"FETCHER_RESOLVE": " ".join(room.addresses)}

    def _supervise(
        self, plan: RunPlan, url: str, lock: TextIO, stop: threading.Event
    ) -> tuple[Before, bool, Before]:
        broker = open_broker(url)
        self._stack.callback(broker.close)
        ensure_same_way(
            lock,
            plan.pipeline,
            lambda step: left(broker, step),
            dry_run=self._request.dry_run,
        )
        for topology in topologies(plan.pipeline, plan.environment.get(BREADCRUMBS, "")):
            broker.declare(topology)
        before = _standing(plan.pipeline, broker)
        supervisor = Supervisor(plan, broker, self.tally)
        with RunProgress(
            plan.started, broker, self.tally, supervisor.in_hand, self._console
        ) as progress:
            supervisor.tick = ticking(stop, progress.tick, self._console)
            complete = supervisor.run(stop)
        self._unread = supervisor.unread
        return before, complete, _standing(plan.pipeline, broker)


def _differences(plan: RunPlan) -> DifferencesReport | None:
    """What a flavor that updates has changed, or would change."""
    directory = Path(plan.environment.get(DIFFERENCES, ""))
    return sum_up([directory]) if DIFFERENCES in plan.environment and directory.is_dir() else None


def _standing(pipeline: Pipeline, broker: Broker) -> Before:
    steps = [step.name for step in pipeline.steps if pipeline.consumes(step)]
    return Before(
        waiting=sum(left(broker, step) for step in steps if step != ARCHIVER),
        unarchived=sum(left(broker, step) for step in steps if step == ARCHIVER),
        quarantined=sum(quarantined(broker, step) for step in steps),
    )


def _count(step: str, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ConfigurationError(f"--replicas: {step}={text}: a number from 1")
    return int(text)


def _say_what_next(request: RunRequest, result: Summary, console: Console) -> None:
    command = this_command()
    if result.indexed or result.duplicates:
        where = "" if request.data == Path("data") else f" --data {request.data}"
        where += f" --index {result.index}" if request.index else ""
        words = "WORDS" if request.inputs else "'harbour OR puerto'"
        say(console, f"\nSearch them:   {command} search{where} {words}")
    for url in result.warc_files[:1]:
        say(console, f"Look inside:   {command} warc list {summary.place(url)}")
