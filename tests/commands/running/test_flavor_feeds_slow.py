"""Flavor `feeds`, whole: newspapers are polled, and each of their stories is stored once."""

import threading
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from indexer.broker import Broker, open_broker
from indexer.database import Database
from indexer.feeds.models import feeds, fetch_events, stories
from indexer.feeds.polling.watching import Watch
from indexer.feeds.registry import registry
from indexer.feeds.registry.feed_spec import FeedSpec
from indexer.feeds.store import open_feeds
from indexer.messages.outcome import OutcomeKind
from indexer.messages.pipelines import Step
from indexer.running.supervisor import RunPlan, Supervisor, left
from indexer.running.tally import Tally
from indexer.system.options import environment
from newsroom.growing import Growing
from newsroom.server import Newsroom
from pipeline import flavor
from tests import services
from tests.commands.following import SETTINGS, now
from tests.paths import ROOT

GONE = "http://harbour-herald.example/no/feed/"
STEPS = ("feed-fetcher", "feed-parser", "story-saver")


@dataclass(frozen=True)
class Polled:
    """Two polls of all feeds; each newspaper has written once more between them."""

    first: Watch
    second: Watch
    statuses: dict[str, set[str]]
    left: int
    written: list[str]
    stored: list[str]
    rows: list[dict[str, Any]]
    notes: list[str]


@pytest.fixture(
    scope="module", params=["embedded", pytest.param("real", marks=pytest.mark.external)]
)
def polled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Polled:
    data = tmp_path_factory.mktemp("polled")
    growing = Growing(first=2)
    with ExitStack() as stack:
        urls = _backends(request.param, data, stack)
        room = stack.enter_context(Newsroom(site=growing.site))
        database = open_feeds(urls[1])
        stack.callback(database.close)
        broker = open_broker(urls[0])
        stack.callback(broker.close)
        broker.declare(flavor("feeds").compile())
        registry.add(database, [FeedSpec(url) for url in [*room.inputs, GONE]], now())
        settings = {**SETTINGS, "FETCHER_RESOLVE": " ".join(room.addresses)}
        environ = {
            **environment(),
            **settings,
            "PYTHONPATH": str(ROOT),
            "DATAROOT": str(data),
            "BROKER_URL": urls[0],
            "FEEDS_DATABASE_URL": urls[1],
            "MIN_DISK_FREE": "0",
        }
        arguments = {"feed-scheduler": ["--loop"]}
        plan = RunPlan(flavor("feeds"), arguments, environ, data, endless=True)
        tally = Tally()
        first = _poll(plan, broker, database, tally)
        growing.publish()
        with database.writing() as connection:
            connection.execute(update(feeds).values(next_fetch_attempt=None))
        second = _poll(plan, broker, database, tally)
        return Polled(
            first,
            second,
            {step: set(tally.by_status(OutcomeKind.DONE, step)) for step in STEPS},
            sum(left(broker, Step(step)) for step in STEPS),
            growing.listed,
            *_look(database),
        )


def _backends(kind: str, data: Path, stack: ExitStack) -> tuple[str, str]:
    """The URLs of a broker and a database."""
    if kind == "embedded":
        return f"sqlite:///{data / 'queues.sqlite3'}", f"sqlite:///{data / 'feeds.sqlite3'}"
    for name in ("rabbitmq", "postgresql"):
        services.require(name)
    return stack.enter_context(services.virtual_host()), stack.enter_context(services.database())


def _poll(plan: RunPlan, broker: Broker, database: Database, tally: Tally) -> Watch:
    """Run the programs until every feed was polled once."""
    watch = Watch(database, now())
    supervisor = Supervisor(plan, broker, tally)
    supervisor.is_enough = lambda: watch.still_due(now(), now()) == 0
    supervisor.run(threading.Event())
    watch.look(now())
    return watch


def _look(database: Database) -> tuple[list[str], list[dict[str, Any]], list[str]]:
    """The URLs of stories, all feeds, and the notes of all events, each in order."""
    with database.reading() as connection:
        urls = connection.scalars(select(stories.c.url).order_by(stories.c.id))
        rows = connection.execute(select(feeds).order_by(feeds.c.id)).mappings()
        notes = connection.scalars(select(fetch_events.c.note).order_by(fetch_events.c.id))
        return [*urls], [dict(row) for row in rows], [*notes]


def test_every_story_is_stored_once(polled: Polled) -> None:
    assert sorted(polled.stored) == sorted(polled.written)
    assert polled.first.new_stories == 2 * polled.second.new_stories > 0


def test_every_attempt_ends_with_an_event_and_the_next_time(polled: Polled) -> None:
    feeds = len(polled.rows)
    assert len(polled.notes) == 2 * feeds
    assert polled.first.fetched == polled.second.fetched == feeds - 1
    assert all(row["next_fetch_attempt"] is not None for row in polled.rows)
    assert not any(row["queued"] or row["lease_owner"] for row in polled.rows)
    assert polled.left == 0


def test_a_feed_that_is_not_there_fails_with_its_status(polled: Polled) -> None:
    (gone,) = (row for row in polled.rows if row["url"] == GONE)
    assert polled.first.failures == {gone["system_status"]: 1}
    assert "404" in gone["system_status"]
    assert gone["last_fetch_failures"] > 0


def test_what_was_known_is_told_from_what_is_new(polled: Polled) -> None:
    notes = [note for note in polled.notes if "added" in note]
    assert sorted(set(notes)) == [
        "0 skipped / 0 dup / 2 added",
        "0 skipped / 2 dup / 1 added",
    ]
