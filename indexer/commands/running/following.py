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
from pathlib import Path

import msgspec
from rich.console import Console

from indexer.broker import Broker
from indexer.commands.console.terminal import say
from indexer.commands.running.choice import SCHEDULER, Choice
from indexer.commands.running.follow_table import FollowTable
from indexer.commands.running.plan import (
    FOLLOW,
    RunRequest,
    alone,
    check_backends,
    given_to_programs,
    make_plan,
    prepared_queues,
)
from indexer.commands.running.progress import ticking
from indexer.commands.running.summary import dropped
from indexer.database import Database
from indexer.errors import ConfigurationError, InputError, StorageError
from indexer.feeds.polling.watching import Watch
from indexer.feeds.registry import registry
from indexer.feeds.registry.discovery import resolve
from indexer.feeds.store import FeedsOptions, open_feeds, utc_now
from indexer.http.fetching import Client, FetchOptions
from indexer.messages.outcome import OutcomeKind
from indexer.running.supervisor import RunPlan, Supervisor, left, waiting
from indexer.running.tally import Tally
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

PUT_OFF = timedelta(hours=1)
"""With --once, a feed that is postponed for longer, as its host demands, is not waited for."""


class Followed(msgspec.Struct, kw_only=True):
    """The results. `left` stories are in the queues; the same command continues with them.

    `fetched` polls succeeded, `failures` counts the others by status; `dropped` counts, by status,
    links that are no story or are indexed already.
    """

    feeds: int
    fetched: int
    failures: Mapping[str, int]
    new_stories: int
    indexed: int
    archived: int
    dropped: Mapping[str, int]
    left: int
    warc_files: Sequence[str]
    seconds: float


class Following:
    """One run of the command."""

    def __init__(
        self, request: RunRequest, console: Console, seconds: float | None, *, once: bool
    ) -> None:
        """`seconds`: how long feeds are polled; None: until it is stopped."""
        self.tally = Tally()
        self._request = request
        self._console = console
        self._seconds = seconds
        self._once = once
        self._stack = ExitStack()

    def perform(self, stop: threading.Event) -> Followed:
        """Poll until the time is up, or `stop` is set; then empty the queues.

        Raises ConfigurationError, InputError, BrokerError, StorageError, ProgramFailed.
        """
        started = time.monotonic()
        with self._stack:
            lock = self._stack.enter_context(alone(self._request.data))
            given = given_to_programs(self._request, SETTINGS)
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
            check_backends(given)
            plan = make_plan(self._request, Choice(flavor(FOLLOW), {SCHEDULER: ()}), given)
            # A scheduler that ends has failed; a server may be restarted meanwhile.
            plan.endless, plan.restarts = True, RESTARTS
            queues = prepared_queues(plan, given["BROKER_URL"], lock)
            broker = self._stack.enter_context(queues)
            # The counts of the watch begin before the first poll.
            self._supervise(plan, broker, watch, stop)
            watch.look(utc_now())
            return _followed(self.tally, watch, plan, broker, time.monotonic() - started)

    def _add_feeds(self, database: Database, given: Mapping[str, str]) -> None:
        """Add the named feeds to the database. Raises InputError if none of them is a feed."""
        if not self._request.inputs:
            return
        specs, problems = resolve(self._request.inputs, Client(FetchOptions.of(given)))
        added = registry.add(database, specs, utc_now())
        for id, url in (*added.added, *added.restored):
            say(self._console, f"feed {id}: {url}")
        refused = [*problems, *added.refused]
        for problem in refused:
            say(self._console, f"not followed: {problem}")
        if refused and not (added.ids or added.known):
            raise InputError("none of the names is a feed, or a page that links to one")

    def _supervise(
        self, plan: RunPlan, broker: Broker, watch: Watch, stop: threading.Event
    ) -> None:
        supervisor = Supervisor(plan, broker, self.tally)

        def under_way(step: str) -> int:
            return waiting(broker, step) + supervisor.unsettled(step)

        table = FollowTable(watch, self.tally, under_way, utc_now, self._console)
        trim = _at_most_every(TRIM_SECONDS, lambda: trim_logs(plan.logs))

        def show() -> None:
            table.tick()
            trim()

        with table:
            supervisor.tick = ticking(stop, show, self._console)
            supervisor.is_enough = self._is_enough(watch)
            supervisor.run(stop)

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
    tally: Tally, watch: Watch, plan: RunPlan, broker: Broker, seconds: float
) -> Followed:
    return Followed(
        feeds=watch.standing.feeds,
        fetched=watch.fetched,
        failures=dict(watch.failures.most_common()),
        new_stories=watch.new_stories,
        indexed=tally.by_status(OutcomeKind.DONE, "importer").get("created", 0),
        archived=tally.count(OutcomeKind.DONE, "archiver"),
        dropped=dropped(tally),
        left=sum(left(broker, step.name) for step in plan.consumers),
        warc_files=tally.archives,
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
