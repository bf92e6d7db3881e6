"""Following feeds: run all programs of the flavor `follow`, and count their results.

add named feeds to the database → run the programs until the time is up → empty the queues → counts
"""

import math
import os
import shutil
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import timedelta
from functools import partial
from pathlib import Path

import msgspec
from rich.console import Console

from indexer.broker import Broker
from indexer.commands.console.terminal import say, this_command
from indexer.commands.feeds.database import counted
from indexer.commands.programs.catalog import check_values
from indexer.commands.running.choice import Choice
from indexer.commands.running.follow_table import FollowTable, created
from indexer.commands.running.places import check_stores, index_flag, show_places
from indexer.commands.running.plan import (
    FOLLOW,
    alone,
    given_to_programs,
    make_plan,
    prepared_queues,
)
from indexer.commands.running.progress import ticking
from indexer.commands.running.request import RunRequest
from indexer.commands.running.summary import advise, dropped, finished, listed, suggest
from indexer.commands.running.telling import show_ends, tell_new
from indexer.database import Database, utc_now
from indexer.errors import ConfigurationError, InputError, ProgramFailed, StorageError
from indexer.feeds.polling.watching import Watch
from indexer.feeds.registry import registry
from indexer.feeds.registry.discovery import resolve
from indexer.feeds.registry.feed_lists import FEED_COLUMNS
from indexer.feeds.registry.finding import FailingFeed, failing
from indexer.feeds.store import FeedsOptions, open_feeds
from indexer.http.fetching import FetchOptions
from indexer.http.fetching.client import Client
from indexer.http.urls.addresses import with_option
from indexer.messages.pipelines import Step
from indexer.running.supervisor import RunPlan, Supervisor, left, waiting
from indexer.running.tally import Tally
from indexer.text.tables.columns import Columns
from pipeline import flavor

SETTINGS = {
    "DEFAULT_INTERVAL_MINS": "60",
    "MIN_DISK_FREE": "1",
}
"""Settings for a person who watches. The others are those of production: the run is long."""

RESTARTS = 8
"""Restarts of a program in a row: their pauses last longer than the restart of a server."""

LARGEST_LOG = 20_000_000
"""Bytes after which a log starts again; the one before is kept beside it."""
TRIM_SECONDS = 60.0

LOOK_SECONDS = 1.0
"""Between two queries whether each feed was polled."""

MOST_FAILING, SHOWN_FAILING = 100, 5
"""The most feeds whose last poll failed, with the reasons, in the results and for a person."""

PUT_OFF = timedelta(hours=1)
"""With --once, a feed that is postponed for longer, as its host demands, is not waited for."""


class Followed(msgspec.Struct, kw_only=True):
    """The results. `left` stories are in the queues; the same command continues with them.

    `fetched` polls succeeded, `failures` counts the others by status; `failing` are the first feeds
    whose last poll failed; `dropped` counts, by status, links that are no story or are indexed
    already; `reasons` has the first link of each status, and why; `failed_programs` has, by step,
    why its program failed, and how often.
    """

    feeds: int
    fetched: int
    failures: Mapping[str, int]
    failing: Sequence[FailingFeed]
    new_stories: int
    indexed: int
    archived: int
    dropped: Mapping[str, int]
    left: int
    warc_files: Sequence[str]
    seconds: float
    reasons: Mapping[str, str] = {}
    failed_programs: Mapping[str, str] = {}


class Following:
    """One run of the command."""

    def __init__(
        self,
        request: RunRequest,
        console: Console,
        seconds: float | None,
        *,
        once: bool,
        columns: Columns = FEED_COLUMNS,
    ) -> None:
        """`seconds`: how long feeds are polled; None: until it is stopped.

        `columns` are those of lists of feeds.
        """
        self.tally = Tally()
        self.index_flag = ""
        self.failure: ProgramFailed | None = None
        """The failure that has ended the run."""
        self._request = request
        self._console = console
        self._seconds = seconds
        self._once = once
        self._columns = columns
        self._stack = ExitStack()

    def perform(self, stop: threading.Event) -> Followed:
        """Poll until the time is up, or `stop` is set; then empty the queues.

        A program that fails again and again ends the run, too: see `failure`.
        Raises ConfigurationError, InputError, BrokerError, StorageError.
        """
        started = time.monotonic()
        with self._stack:
            lock = self._stack.enter_context(alone(self._request.data))
            given = given_to_programs(self._request, SETTINGS)
            pipeline = flavor(FOLLOW)
            show_places(self._console, pipeline, given)
            self.index_flag = index_flag(given)
            database = open_feeds(FeedsOptions.of(given).database)
            self._stack.callback(database.close)
            self._add_feeds(database, given)
            watch = Watch(database, utc_now())
            # Feeds may be known from earlier runs.
            watch.look(utc_now())
            if not watch.standing.feeds:
                raise ConfigurationError(
                    "no feeds to follow: name some, "
                    "`story-indexer follow https://site.example/`, or a list of them"
                )
            check_values(pipeline, {**pipeline.environment, **given})
            check_stores(pipeline, given)
            producers = {step.name: () for step in pipeline.producers}
            plan = make_plan(self._request, Choice(pipeline, producers), given)
            # A scheduler that ends has failed; a server may be restarted meanwhile.
            plan.endless, plan.restarts = True, RESTARTS
            broker = self._stack.enter_context(prepared_queues(plan, lock))
            # The counts of the watch begin before the first poll.
            ends = self._supervise(plan, broker, watch, stop)
            watch.look(utc_now())
            failing_feeds = failing(database, utc_now(), MOST_FAILING)
            seconds = time.monotonic() - started
            followed = _followed(self.tally, watch, failing_feeds, plan, broker, seconds)
            return msgspec.structs.replace(followed, failed_programs=ends)

    def _add_feeds(self, database: Database, given: Mapping[str, str]) -> None:
        """Add the named feeds to the database. Raises InputError if none of them is a feed."""
        if not self._request.inputs:
            return
        with Client(FetchOptions.of(given)) as client:
            specs, problems = resolve(self._request.inputs, client, columns=self._columns)
        added = registry.add(database, specs, utc_now())
        for id, url in (*added.added, *added.restored):
            say(self._console, f"feed {id}: {url}")
        refused = [*problems, *added.refused]
        for problem in refused:
            say(self._console, f"not followed: {with_option(str(problem))}")
        if refused and not (added.ids or added.known):
            raise InputError("none of the names is a feed, or a page that links to one")

    def _supervise(
        self, plan: RunPlan, broker: Broker, watch: Watch, stop: threading.Event
    ) -> Mapping[str, str]:
        """Run the programs; returns why some of them have failed, by step."""
        supervisor = Supervisor(plan, broker, self.tally)

        def under_way(step: Step) -> int:
            return waiting(broker, step) + supervisor.unsettled(step.name)

        table = FollowTable(watch, self.tally, plan.pipeline, under_way, utc_now, self._console)
        trim = _at_most_every(TRIM_SECONDS, lambda: trim_logs(plan.logs))

        with table:
            tell = partial(tell_new, self._console, supervisor.problems, plan.pipeline)
            supervisor.tick = ticking(stop, self._console, tell, table.tick, trim)
            supervisor.is_enough = self._is_enough(watch)
            try:
                supervisor.run(stop)
            except ProgramFailed as error:
                self.failure = error
            finally:
                tell()
        return supervisor.problems.ends

    def _is_enough(self, watch: Watch) -> Callable[[], bool]:
        """Make the function that says whether polling should end."""
        end = math.inf if self._seconds is None else time.monotonic() + self._seconds
        is_done = False

        def look() -> None:
            nonlocal is_done
            now = utc_now()
            is_done = self._once and not watch.still_due(now, now + PUT_OFF)

        look_again = _at_most_every(LOOK_SECONDS, look)

        def is_enough() -> bool:
            look_again()
            return is_done or time.monotonic() >= end

        return is_enough


def _followed(
    tally: Tally,
    watch: Watch,
    failing_feeds: Sequence[FailingFeed],
    plan: RunPlan,
    broker: Broker,
    seconds: float,
) -> Followed:
    return Followed(
        feeds=watch.standing.feeds,
        fetched=watch.fetched,
        failures=dict(watch.failures.most_common()),
        failing=failing_feeds,
        new_stories=watch.new_stories,
        indexed=created(tally, plan.pipeline),
        archived=finished(tally, plan.pipeline.beyond(plan.pipeline.goal.name)),
        dropped=dropped(tally),
        reasons=tally.reasons,
        left=sum(left(broker, step) for step in plan.consumers),
        warc_files=tally.made,
        seconds=round(seconds, 1),
    )


def _at_most_every(seconds: float, do: Callable[[], None]) -> Callable[[], None]:
    """Make a function that may be called often, and acts once in so many seconds."""
    next_time = time.monotonic() + seconds

    def maybe() -> None:
        nonlocal next_time
        if time.monotonic() >= next_time:
            next_time = time.monotonic() + seconds
            # A database that is away is tried again the next time; its programs report it.
            with suppress(OSError, StorageError):
                do()

    return maybe


def trim_logs(directory: Path, largest: int = LARGEST_LOG) -> None:
    """Empty each log that is too large, after a copy; its program continues to write to it.

    Lines written between the copy and the truncation are lost. Raises OSError.
    """
    for path in directory.glob("*.log"):
        if path.stat().st_size > largest:
            # Not renamed: the program would continue to write to the renamed file.
            shutil.copyfile(path, path.with_suffix(".log.1"))
            os.truncate(path, 0)


def show(followed: Followed, console: Console, data_flag: str, index_flag: str) -> None:
    """Print the counts for a person, and commands to continue with.

    These commands have an option for the data directory, and `search` one for the index.
    """
    polls = followed.fetched + sum(followed.failures.values())
    say(
        console,
        f"{counted(followed.feeds)}, polled {'once' if polls == 1 else f'{polls:,} times'}: "
        f"{followed.new_stories} new stories, {followed.indexed} indexed, "
        f"{followed.archived} archived, {followed.left} left in the queues.",
    )
    for result, reasons in (("failed", followed.failures), ("dropped", followed.dropped)):
        if reasons:
            say(console, f"{result} {sum(reasons.values())}: {listed(reasons)}")
    if not followed.indexed:
        advise(console, followed.reasons)
    show_ends(console, followed.failed_programs, flavor(FOLLOW))
    for each in followed.failing[:SHOWN_FAILING]:
        say(console, f"  feed {each.feed}: {each.why}: {each.url}")
    if len(followed.failing) > SHOWN_FAILING:
        say(console, f"  and more: {this_command()} feeds list --failing{data_flag}")
    suggest(console, f"{data_flag}{index_flag} WORDS", followed.warc_files)
    if followed.failing:
        say(console, f"Poll again:    {this_command()} feeds fetch-soon --failing{data_flag}")
    say(console, f"Go on:         {this_command()} follow{data_flag}")
