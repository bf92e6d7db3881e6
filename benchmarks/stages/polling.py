"""Polls of feeds: the feeds pipeline on PostgreSQL and RabbitMQ, and a script that does the same.

Each feed is polled twice: first all its items are new, then its document has changed and all items
are known. Only the limits of hosts and sources are lifted. The script is what a researcher writes:
one process, requests with a session for each feed, feedparser, a search and an insert for each
item, a transaction for each feed. It is not polite, has no schedule, and loses what it was doing.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import feedparser
import psycopg
import requests

from benchmarks.databases import new_database
from benchmarks.feed_site import FeedSite
from benchmarks.feeds import Bench
from benchmarks.measuring.corpus import CorpusPage
from benchmarks.measuring.stage import Done, Stage, Unit, Unmeasured

DATABASE, BROKER = "TEST_POSTGRESQL_URL", "TEST_RABBITMQ_URL"
NAME = "feeds polled, PostgreSQL and RabbitMQ"
AIM = 500
FEEDS, OF_SCRIPT, ITEMS = 5000, 100, 25
"""The feeds of a turn of ours, those of the script, and the items of a feed.

Ours has so many that the second in which programs wait for first and last messages counts little.
"""


@contextmanager
def stages(
    pages: Sequence[CorpusPage],  # noqa: ARG001 - the signature
    feeds: int = FEEDS,
) -> Iterator[Sequence[Stage | Unmeasured]]:
    """The pipeline and the script, each in a new database in each turn."""
    if not (os.environ.get(DATABASE) and os.environ.get(BROKER)):
        yield [Unmeasured(NAME, f"{DATABASE} and {BROKER} are not set: make services")]
        return
    with FeedSite(feeds, ITEMS) as site:
        contenders: dict[str, Callable[[], Done]] = {
            "four programs": lambda: _programs(site),
            "a script": lambda: _script(site, min(feeds, OF_SCRIPT)),
        }
        yield [Stage(NAME, Unit.WALL_RATE, AIM, contenders)]


def _programs(site: FeedSite) -> Done:
    """Ours, from the first queued poll to the last saved attempt, both times."""
    bench = Bench(site, ITEMS, os.environ[BROKER], {}, None)
    polls = bench.rows(os.environ[DATABASE], 0).values()
    return Done(len(polls) * len(site.urls), sum(row["seconds"] for row in polls))


def _script(site: FeedSite, feeds: int) -> Done:
    with TemporaryDirectory() as name, new_database(os.environ[DATABASE], Path(name)) as url:
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE stories (url text PRIMARY KEY, title text, seen text)")
        started = time.monotonic()
        with psycopg.connect(url) as connection:
            for _ in range(2):
                for each in site.urls[:feeds]:
                    _poll(each, site.port, connection)
                site.change()
        return Done(2 * feeds, time.monotonic() - started)


def _poll(url: str, port: int, connection: psycopg.Connection[Any]) -> None:
    host, _, path = url.removeprefix("http://").partition("/")
    with requests.Session() as session:
        answer = session.get(f"http://127.0.0.1:{port}/{path}", headers={"Host": host}, timeout=60)
    for entry in feedparser.parse(answer.content).entries:
        found = connection.execute("SELECT 1 FROM stories WHERE url = %s", [entry.link])
        if found.fetchone() is None:
            row = (entry.link, entry.title, entry.published)
            connection.execute("INSERT INTO stories VALUES (%s, %s, %s)", row)
    connection.commit()
