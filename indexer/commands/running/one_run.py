"""One run of a pipeline: choose its flavor, run its programs, and count."""

import threading
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TextIO

import msgspec
from rich.console import Console

from indexer.broker import Broker
from indexer.commands.archives import differences
from indexer.commands.console.terminal import say
from indexer.commands.programs.catalog import check_values
from indexer.commands.running import choice, summary
from indexer.commands.running.places import check_stores, index_flag, show_places
from indexer.commands.running.plan import (
    LAPTOP,
    SAMPLE,
    alone,
    given_to_programs,
    make_plan,
    prepared_queues,
)
from indexer.commands.running.progress import RunProgress, ticking
from indexer.commands.running.request import RunRequest
from indexer.commands.running.summary import Before, Summary, suggest, summarize
from indexer.commands.running.telling import show_ends, tell_new
from indexer.errors import ProgramFailed
from indexer.http.urls.parts import without_credentials
from indexer.messages.pipelines import Pipeline
from indexer.running.supervisor import RunPlan, Supervisor, left, quarantined
from indexer.running.tally import Tally
from indexer.stories.indexing.differences import DifferencesReport
from indexer.stories.indexing.differences import summarize as sum_up
from indexer.system.options import variable
from newsroom.server import Newsroom
from workers.stories.importer import ImporterOptions

DIFFERENCES = "IMPORTER_DIFFERENCES"
"""The setting of the directory of a report that the summary of a run includes."""


class Run:
    """One run: its request, the flavor that is chosen for it, and its counts."""

    def __init__(self, request: RunRequest, console: Console) -> None:
        self.tally = Tally()
        self.request = request
        self.pipeline = Pipeline("", [])
        self.index_flag = ""
        self._console = console
        self._stack = ExitStack()
        self.failure: ProgramFailed | None = None
        """The failure that has ended the run."""
        self._unread: list[str] = []
        self._ends: dict[str, str] = {}

    def perform(self, stop: threading.Event) -> Summary:
        """Run until all queues are empty, or `stop` is set.

        A program that fails again and again ends the run, too: see `failure`.
        Raises ConfigurationError, InputError, BrokerError.
        """
        started = time.monotonic()
        with self._stack:
            lock = self._stack.enter_context(alone(self.request.data))
            inputs, settings = self._inputs()
            given = given_to_programs(self.request, settings)
            chosen = choice.choose(inputs, self.request.type, self.request.data, given)
            for line in [*chosen.notes, *(f"not read: {why}" for why in chosen.unread)]:
                say(self._console, line)
            plan = make_plan(self.request, chosen, given)
            self.pipeline = plan.started
            show_places(self._console, self.pipeline, given)
            self.index_flag = index_flag(given)
            # Before programs start: their errors would only be in log files.
            check_values(self.pipeline, plan.environment)
            check_stores(self.pipeline, given)
            before, complete, after = self._supervise(plan, lock, stop)
            result = summarize(
                self.pipeline,
                self.tally,
                before,
                after,
                seconds=time.monotonic() - started,
                complete=complete and not after.waiting and not after.unarchived,
                unread=[*chosen.unread, *self._unread],
            )
            index = without_credentials(ImporterOptions.of(given).index)
            return msgspec.structs.replace(
                result, index=index, differences=_differences(plan), failed_programs=self._ends
            )

    def _inputs(self) -> tuple[list[str], dict[str, str]]:
        """Return the inputs and default settings; without inputs, those of the sample newsroom."""
        if not self.request.wants_sample:
            return list(self.request.inputs), LAPTOP
        room = self._stack.enter_context(Newsroom())
        self._console.print(f"No input given: the sample newsroom, {len(room.inputs)} inputs.")
        return list(room.inputs), LAPTOP | SAMPLE | {"FETCHER_RESOLVE": variable(room.addresses)}

    def _supervise(
        self, plan: RunPlan, lock: TextIO, stop: threading.Event
    ) -> tuple[Before, bool, Before]:
        """Run the programs; return the counts before, whether all was done, the counts after."""
        dry_run = self.request.dry_run
        broker = self._stack.enter_context(prepared_queues(plan, lock, dry_run=dry_run))
        self.pipeline = plan.started
        before = _count_queues(plan.pipeline, broker)
        supervisor = Supervisor(plan, broker, self.tally)
        with RunProgress(
            plan.started, broker, self.tally, supervisor.unsettled, self._console
        ) as progress:
            tell = partial(tell_new, self._console, supervisor.problems, plan.pipeline)
            supervisor.tick = ticking(stop, self._console, tell, progress.tick)
            try:
                complete = supervisor.run(stop)
            except ProgramFailed as error:
                complete, self.failure = False, error
            finally:
                tell()
        self._unread = supervisor.unread
        self._ends = supervisor.problems.ends
        return before, complete, _count_queues(plan.pipeline, broker)


def _differences(plan: RunPlan) -> DifferencesReport | None:
    """Return the changes of a flavor that updates the index, also of a dry run."""
    directory = Path(plan.environment.get(DIFFERENCES, ""))
    return sum_up([directory]) if DIFFERENCES in plan.environment and directory.is_dir() else None


def _count_queues(pipeline: Pipeline, broker: Broker) -> Before:
    later = pipeline.aside
    steps = pipeline.consumers
    return Before(
        waiting=sum(left(broker, step) for step in steps if step.name not in later),
        unarchived=sum(left(broker, step) for step in steps if step.name in later),
        quarantined=sum(quarantined(broker, step) for step in steps),
    )


def show(one: Run, result: Summary, console: Console, data_flag: str) -> None:
    """Print the summary for a person, and commands to continue with.

    `data_flag` is their option of the data directory.
    """
    summary.show(result, one.pipeline, console)
    show_ends(console, result.failed_programs, one.pipeline)
    if result.differences is not None:
        differences.show(result.differences, console)
    search = ""
    if result.indexed or result.duplicates:
        # The words are in several stories of the sample newsroom.
        words = "WORDS" if one.request.inputs else "'harbour OR puerto'"
        search = f"{data_flag}{one.index_flag} {words}"
    suggest(console, search, result.warc_files)
