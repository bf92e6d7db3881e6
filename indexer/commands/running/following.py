"""Following feeds: all programs of the flavor `follow`, and what comes of them.

feeds named → added to the database → the programs run, until it is enough → drained → counts
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import timedelta

import msgspec
from rich.console import Console

from indexer.broker import Broker, open_broker
from indexer.commands.console.terminal import say
from indexer.commands.running import log_files
from indexer.commands.running.alone import alone
from indexer.commands.running.choice import SCHEDULER, Choice
from indexer.commands.running.follow_table import FollowTable
from indexer.commands.running.plan import (
    FOLLOW,
    RunRequest,
    check_backends,
    ensure_same_way,
    given_to_programs,
    make_plan,
    topologies,
)
from indexer.commands.running.progress import ticking
from indexer.database import Database
from indexer.errors import ConfigurationError, InputError, StorageError
from indexer.feeds.clock import utc_now
from indexer.feeds.polling.watching import Watch
from indexer.feeds.registry import registry
from indexer.feeds.registry.discovery import resolve
from indexer.feeds.store import FeedsOptions, open_feeds
from indexer.http.fetching import Client, FetchOptions
from indexer.messages.outcome import OutcomeKind
from indexer.running.supervisor import RunPlan, Supervisor, left, waiting
from indexer.running.tally import Tally
from pipeline import flavor

SETTINGS = {
    "DEFAULT_INTERVAL_MINS": "60",
    "MIN_DISK_FREE": "1",
}
"""Settings of what a person looks on at. The rest is as in production: it has time."""

RESTARTS = 8
"""How often in a row a program is started again: long enough for a server that is restarted."""

TRIM_SECONDS = 60.0

LOOK_SECONDS = 1.0
"""Between two looks whether a poll of all is done."""

PUT_OFF = timedelta(hours=1)
"""With --once, a feed whose host wants to be left alone for longer is not waited for."""


class Followed(msgspec.Struct, kw_only=True):
    """What came of it. `left` stories are in the queues; the same command goes on with them.

    `fetched` feeds: polls that succeeded; `failures`: the others, by status. `dropped`: links
    that were no story, or were indexed before, by status.
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
    """One run of it."""

    def __init__(
        self, request: RunRequest, console: Console, seconds: float | None, *, once: bool
    ) -> None:
        """`seconds`: for how long feeds are polled, if not for ever."""
        self.tally = Tally()
        self._request = request
        self._console = console
        self._seconds = seconds
        self._once = once
        self._stack = ExitStack()

    def perform(self, stop: threading.Event) -> Followed:
        """Poll until it is enough, or until `stop`.

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
            watch.look(utc_now())
            _ensure_feeds(watch)
            check_backends(given)
            plan = make_plan(self._request, Choice(flavor(FOLLOW), {SCHEDULER: ()}), given)
            plan.endless, plan.restarts = True, RESTARTS
            broker = open_broker(given["BROKER_URL"])
            self._stack.callback(broker.close)
            ensure_same_way(lock, plan.pipeline, lambda step: left(broker, step))
            for topology in topologies(plan.pipeline, given.get("BREADCRUMB_EXCHANGE", "")):
                broker.declare(topology)
            self._supervise(plan, broker, watch, stop)
            watch.look(utc_now())
            return _followed(self.tally, watch, plan, broker, time.monotonic() - started)

    def _add_feeds(self, database: Database, given: Mapping[str, str]) -> None:
        """Add the feeds that are named. Raises InputError if none of them is a feed."""
        if not self._request.inputs:
            return
        client = Client(FetchOptions.of(given))
        try:
            specs, problems = resolve(self._request.inputs, client)
        finally:
            client.close()
        added = registry.add(database, specs, utc_now())
        for id, url in (*added.added, *added.restored):
            say(self._console, f"feed {id}: {url}")
        refused = [*problems, *added.refused]
        for problem in refused:
            say(self._console, f"not followed: {problem}")
        if refused and not (added.ids or added.known):
            raise InputError("none of what was named is a feed, or names one")

    def _supervise(
        self, plan: RunPlan, broker: Broker, watch: Watch, stop: threading.Event
    ) -> None:
        supervisor = Supervisor(plan, broker, self.tally)

        def under_way(step: str) -> int:
            return waiting(broker, step) + supervisor.in_hand(step)

        table = FollowTable(watch, self.tally, under_way, utc_now, self._console)
        trim = _now_and_then(TRIM_SECONDS, lambda: log_files.trim(plan.logs))

        def show() -> None:
            table.tick()
            trim()

        with table:
            supervisor.tick = ticking(stop, show, self._console)
            supervisor.is_enough = self._is_enough(watch)
            supervisor.run(stop)

    def _is_enough(self, watch: Watch) -> Callable[[], bool]:
        """Whether feeds have been polled as long as they should."""
        end = time.monotonic() + self._seconds if self._seconds is not None else None

        is_done = False

        def look() -> None:
            nonlocal is_done
            now = utc_now()
            is_done = not watch.still_due(now, now + PUT_OFF)

        look_now_and_then = _now_and_then(LOOK_SECONDS, look)

        def is_enough() -> bool:
            if self._once:
                look_now_and_then()
            return is_done or (end is not None and time.monotonic() >= end)

        return is_enough


def _ensure_feeds(watch: Watch) -> None:
    """Raises ConfigurationError if there is nothing to poll."""
    if not watch.standing.feeds:
        raise ConfigurationError(
            "no feeds to follow: name some, "
            "`story-indexer follow https://site.example/`, or a list of them"
        )


def _followed(
    tally: Tally, watch: Watch, plan: RunPlan, broker: Broker, seconds: float
) -> Followed:
    dropped = {**tally.by_status(OutcomeKind.DISCARD), **tally.by_status(OutcomeKind.QUARANTINE)}
    return Followed(
        feeds=watch.standing.feeds,
        fetched=watch.fetched,
        failures=dict(watch.failures.most_common()),
        new_stories=watch.new_stories,
        indexed=tally.by_status(OutcomeKind.DONE, "importer").get("created", 0),
        archived=tally.count(OutcomeKind.DONE, "archiver"),
        dropped=dropped,
        left=sum(left(broker, step.name) for step in plan.consumers),
        warc_files=tally.archives,
        seconds=round(seconds, 1),
    )


def _now_and_then(seconds: float, do: Callable[[], None]) -> Callable[[], None]:
    """What is called often, and does something only so many seconds after the last time."""
    next_time = time.monotonic() + seconds

    def maybe() -> None:
        nonlocal next_time
        if time.monotonic() >= next_time:
            next_time = time.monotonic() + seconds
            with suppress(OSError, StorageError):
                do()

    return maybe
