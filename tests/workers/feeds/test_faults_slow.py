"""Programs are killed, and databases go away: no story is lost or stored twice."""

import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import func, make_url, select, update

from indexer.database import Database
from indexer.feeds.models import feeds, fetch_events
from indexer.feeds.store import open_feeds
from tests.feeds.rows import all_stories
from tests.relay import Relay
from tests.workers.feeds.growing import PROGRAMS, GrowingFeeds, Running, register, wait_until

FEEDS = 12
KILLS = 20
OUTAGES = 5


@pytest.fixture(params=["embedded", pytest.param("servers", marks=pytest.mark.external)])
def backends(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """A database and a broker."""
    if request.param == "embedded":
        return f"sqlite:///{tmp_path}/feeds.sqlite3", f"sqlite:///{tmp_path}/queues.sqlite3"
    return request.getfixturevalue("postgresql_url"), request.getfixturevalue("rabbitmq_url")


@pytest.fixture
def database(backends: tuple[str, str]) -> Iterator[Database]:
    """The database of the programs."""
    with closing(open_feeds(backends[0])) as opened:
        yield opened


def test_programs_that_are_killed_20_times_lose_no_story_and_announce_none_twice(
    backends: tuple[str, str], database: Database, tmp_path: Path
) -> None:
    chance = random.Random(20261121)
    settings = {"DATABASE_URL": backends[0], "DATAROOT": str(tmp_path / "data")}
    with GrowingFeeds(FEEDS) as server, Running(backends[1], settings) as running:
        register(database, server)
        for _ in range(KILLS):
            wait_for_an_attempt(database, running)
            time.sleep(chance.uniform(0, 0.3))
            running.kill(chance.choice(PROGRAMS))
        server.grows = False
        poll_every_feed_again(database, running)
        assert_all_are_there_once(database, server)


def test_a_database_that_goes_away_under_load_costs_no_story(
    postgresql_url: str, tmp_path: Path
) -> None:
    url = make_url(postgresql_url)
    with (
        closing(open_feeds(postgresql_url)) as database,
        Relay(url.host or "127.0.0.1", url.port or 5432) as relay,
        GrowingFeeds(FEEDS) as server,
    ):
        register(database, server)
        through = url.set(host="127.0.0.1", port=relay.port)
        settings = {
            "DATABASE_URL": through.render_as_string(hide_password=False),
            "DATAROOT": str(tmp_path / "data"),
        }
        with Running(f"sqlite:///{tmp_path}/queues.sqlite3", settings) as running:
            for _ in range(OUTAGES):
                wait_for_an_attempt(database, running)
                relay.away = True
                relay.cut()
                time.sleep(0.3)
                relay.away = False
            server.grows = False
            poll_every_feed_again(database, running)
            assert_all_are_there_once(database, server)


def assert_all_are_there_once(database: Database, server: GrowingFeeds) -> None:
    """Check that the stories are exactly the items that were served."""
    found = Counter(story["url"] for story in all_stories(database))
    assert set(found) == server.links
    assert set(found.values()) == {1}


def wait_for_an_attempt(database: Database, running: Running) -> None:
    """Wait until one more attempt has ended."""
    before = ended(database)

    def one_more() -> bool:
        running.revive()
        ask_again(database)
        return ended(database) > before

    wait_until(one_more, "an attempt that ends")


def poll_every_feed_again(database: Database, running: Running) -> None:
    """Wait until each feed was polled again; leases of lost attempts expire meanwhile."""
    with database.reading() as connection:
        since = connection.scalar(select(func.max(feeds.c.last_fetch_attempt)))

    def all_polled() -> bool:
        running.revive()
        ask_again(database)
        return polled(database, since) == FEEDS

    wait_until(all_polled, "every feed polled again")


def ask_again(database: Database) -> None:
    """Make all feeds due that are not leased."""
    with database.writing() as connection:
        connection.execute(
            update(feeds).where(feeds.c.lease_owner.is_(None)).values(next_fetch_attempt=None)
        )


def ended(database: Database) -> int:
    with database.reading() as connection:
        return connection.scalar(select(func.count()).select_from(fetch_events)) or 0


def polled(database: Database, since: datetime | None) -> int:
    with database.reading() as connection:
        later = select(func.count()).where(feeds.c.last_fetch_attempt > since)
        return connection.scalar(later) or 0
