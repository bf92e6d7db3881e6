"""Polls 5000 feeds of 25 items on loopback twice: feeds per second, CPU, and time of a claim.

    python -m benchmarks.feeds [--feeds 5000] [--items 25] [--database postgresql://…] [--json]

First all items are new; then all documents have changed and all items are known. Only the limits of
hosts and sources are lifted. Each program is a separate process, as in any run; so is the server of
the feeds, which is not counted. The benchmark runs with everything in SQLite, and then on the
PostgreSQL of --database or TEST_POSTGRESQL_URL, with queues in SQLite and on the broker of --broker
or TEST_RABBITMQ_URL. It makes a database and queues there, and deletes them.
"""

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table
from sqlalchemy import update

from benchmarks import feed_claims, profiled
from benchmarks.databases import new_database
from benchmarks.feed_site import HOSTS, FeedSite
from indexer.broker import open_broker
from indexer.database import Database, utc_now
from indexer.feeds.models import feeds
from indexer.feeds.polling.watching import Watch
from indexer.feeds.registry import registry
from indexer.feeds.registry.feed_spec import FeedSpec
from indexer.feeds.store import open_feeds
from indexer.messages.outcome import OutcomeKind
from indexer.running.supervisor import RunPlan, Supervisor
from indexer.running.tally import Tally
from indexer.system import logs
from indexer.system.options import environment
from pipeline import flavor

BASELINE = {"all new": 10.5, "all known": 8.5}
"""Feeds per second of the existing system, with 16 workers on two cores (feeds.md 13)."""

SETTINGS = {
    "RSS_FETCH_FEED_SECS": "0",
    "RSS_FETCH_FEED_CONCURRENCY": "0",
    "FETCHER_ALLOW_ADDRESS": "127.0.0.0/8",
    "MIN_DISK_FREE": "1",
}

STEPS = ["feed-scheduler", "feed-fetcher", "feed-parser", "story-saver"]

MOST_SECONDS = 1800.0


@dataclass
class Bench:
    """The settings of a measurement."""

    site: FeedSite
    items: int
    broker: str
    replicas: Mapping[str, int]
    profiles: Path | None

    def rows(self, server: str, claims: int) -> dict[str, dict[str, float]]:
        """Measure both polls, and claims, in a new database."""
        with tempfile.TemporaryDirectory() as name, new_database(server, Path(name)) as url:
            database = open_feeds(url)
            try:
                specs = [
                    FeedSpec(each, sources_id=number % HOSTS + 1)
                    for number, each in enumerate(self.site.urls)
                ]
                registry.add(database, specs, utc_now())
                rows = {"all new": self._poll(database, url, Path(name), "all new")}
                self.site.change()
                with database.writing() as connection:
                    connection.execute(update(feeds).values(next_fetch_attempt=None))
                rows["all known"] = self._poll(database, url, Path(name), "all known")
            finally:
                database.close()
        if claims:
            with tempfile.TemporaryDirectory() as name, new_database(server, Path(name)) as url:
                database = open_feeds(url)
                rows["claims"] = feed_claims.measure(database, claims)
                database.close()
        return rows

    def _poll(self, database: Database, url: str, data: Path, what: str) -> dict[str, float]:
        """Poll all feeds once; feeds and items per second, and CPU seconds of each program."""
        tally, watch, timing = Tally(), Watch(database, utc_now()), _Timing(len(self.site.urls))
        broker_url = self.broker or f"sqlite:///{data / 'queues.sqlite3'}"
        plan = self._plan(url, broker_url, data, what)
        broker = open_broker(broker_url)
        try:
            broker.declare(plan.pipeline.compile())
            supervisor = Supervisor(plan, broker, tally)
            supervisor.tick = lambda: timing.look(tally)
            supervisor.is_enough = lambda: timing.is_over
            supervisor.run(threading.Event())
            watch.look(utc_now())
        finally:
            if self.broker:
                broker.delete(plan.pipeline.compile())
            broker.close()
        wanted = len(self.site.urls) * self.items if what == "all new" else 0
        if watch.new_stories != wanted or watch.failures:
            raise SystemExit(
                f"{what}: {watch.new_stories} new stories, not {wanted}; {watch.failures}"
            )
        used = {step: round(tally.usage(step).cpu, 1) for step in STEPS}
        return {
            "feeds_per_second": round(len(self.site.urls) / timing.seconds, 1),
            "times_baseline": round(len(self.site.urls) / timing.seconds / BASELINE[what], 1),
            "items_per_second": round(len(self.site.urls) * self.items / timing.seconds),
            "seconds": round(timing.seconds, 2),
            **used,
            "peak_megabytes": round(max(tally.usage(step).peak for step in STEPS) / 1e6),
        }

    def _plan(self, url: str, broker: str, data: Path, what: str) -> RunPlan:
        pipeline = flavor("feeds")
        settings = {
            **environment(),
            **pipeline.environment,
            **SETTINGS,
            "DATAROOT": str(data),
            "FEEDS_DATABASE_URL": url,
            "BROKER_URL": broker,
            "FETCHER_RESOLVE": self.site.address,
        }
        if self.profiles:
            directory = self.profiles / what.replace(" ", "-")
            directory.mkdir(parents=True, exist_ok=True)
            settings[profiled.DIRECTORY] = str(directory)
            steps = [replace(step, program="benchmarks.profiled") for step in pipeline.steps]
            pipeline = replace(pipeline, steps=steps)
        arguments = {"feed-scheduler": ["--loop"]}
        return RunPlan(pipeline, arguments, settings, data, self.replicas, endless=True)


class _Timing:
    """Measures the time from the first queued poll to the last saved attempt."""

    def __init__(self, feeds: int) -> None:
        self._feeds = feeds
        self._started = self._ended = 0.0
        self._latest = time.monotonic() + MOST_SECONDS

    def look(self, tally: Tally) -> None:
        """Check the progress. Exits if the run takes too long, or saves fail."""
        now = time.monotonic()
        if not self._started and tally.count(OutcomeKind.QUEUED, "feed-scheduler"):
            self._started = now
        if not self._ended and tally.count(OutcomeKind.DONE, "story-saver") >= self._feeds:
            self._ended = now
        if not self._ended and (now > self._latest or tally.count(OutcomeKind.QUARANTINE)):
            raise SystemExit("polling took too long, or attempts could not be saved")

    @property
    def is_over(self) -> bool:
        """Whether all attempts are saved."""
        return bool(self._ended)

    @property
    def seconds(self) -> float:
        """The measured seconds."""
        return self._ended - self._started


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--feeds", type=int, default=5000)
    parser.add_argument("--items", type=int, default=25)
    parser.add_argument("--claims", type=int, default=200_000, help="feeds to claim from; 0: not")
    parser.add_argument(
        "--database", default=os.environ.get("TEST_POSTGRESQL_URL", ""), metavar="URL"
    )
    parser.add_argument("--only", action="store_true", help="not on SQLite too")
    parser.add_argument("--broker", default=os.environ.get("TEST_RABBITMQ_URL", ""), metavar="URL")
    parser.add_argument("--replicas", action="append", default=[], metavar="STEP=N")
    parser.add_argument("--profile", type=Path, metavar="DIRECTORY")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    logs.set_up("warning")
    backends = [] if given.only else [("", "")]
    if given.database:
        backends += dict.fromkeys([(given.database, ""), (given.database, given.broker)])
    replicas = {step: int(n) for step, _, n in (pair.partition("=") for pair in given.replicas)}
    rows = {}
    for server, broker in backends:
        with FeedSite(given.feeds, given.items) as site:
            bench = Bench(site, given.items, broker, replicas, given.profile)
            name = "PostgreSQL" if server else "SQLite"
            name += ", RabbitMQ" if broker.startswith("amqp") else ""
            # A claim has nothing to do with queues.
            rows[name] = bench.rows(server, 0 if broker else given.claims)
            print(f"{name}: measured", file=sys.stderr)
    if given.json:
        print(json.dumps(rows, indent=2))
    else:
        _show(rows)


def _show(rows: Mapping[str, Mapping[str, Mapping[str, float]]]) -> None:
    """Two tables."""
    headings = ["database", "items", "feeds/s", "baseline", "items/s", "s"]
    table = Table(*headings, *STEPS, "peak MB", box=None, title="CPU seconds of each program")
    claims = Table("database", *(f"claim {n}" for n in feed_claims.SIZES), box=None, title="ms")
    for database, polls in rows.items():
        for what, row in polls.items():
            values: Sequence[str] = [str(value) for value in row.values()]
            if what == "claims":
                claims.add_row(database, *values)
            else:
                values = [values[0], f"x {values[1]}", *values[2:]]
                table.add_row(database, what, *values)
    console = Console()
    console.print(table)
    if claims.row_count:
        console.print(claims)


if __name__ == "__main__":
    main()
