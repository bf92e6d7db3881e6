"""Fixtures for the tests of loops."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta

import pytest

from indexer.broker import open_broker
from indexer.database import Database
from indexer.jobs.models import metadata
from indexer.jobs.store import JobStore
from tests.clock import Clock
from tests.jobs.new_jobs import new_jobs
from tests.loops.job_place import COMMANDS, TOPOLOGY, JobPlace
from tests.loops.scripted import Scene


@pytest.fixture(autouse=True)
def quick_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop waits for the end of its queue at least once: in tests, for a moment."""
    monkeypatch.setattr("indexer.loops.inbox.POLL_SECONDS", 0.01)
    monkeypatch.setattr("indexer.loops.jobs.POLL_SECONDS", 0.01)
    monkeypatch.setattr("indexer.loops.jobs.LOOK_SECONDS", 0.01)


@pytest.fixture(scope="session")
def jobs_database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A database of SQLite: opening one takes longer than most tests."""
    path = tmp_path_factory.mktemp("jobs") / "jobs.sqlite3"
    with closing(new_jobs(f"sqlite:///{path}")) as database:
        yield database


@pytest.fixture
def scene(jobs_database: Database, clock: Clock) -> Scene:
    """A job alone in a store of SQLite."""
    with jobs_database.writing() as connection:
        for table in metadata.sorted_tables:
            connection.execute(table.delete())
    now = lambda: clock.utc().replace(tzinfo=None)  # noqa: E731 - the store's clock
    scene = Scene(JobStore(jobs_database, "work", timedelta(seconds=120), now))
    scene.add()
    return scene


@pytest.fixture
def place(broker_url: str, database_url: str, clock: Clock) -> Iterator[JobPlace]:
    """A broker and a database of each kind."""
    with closing(open_broker(broker_url)) as broker, closing(new_jobs(database_url)) as database:
        broker.declare(TOPOLOGY.compile())
        broker.declare(COMMANDS)
        yield JobPlace(broker, database, clock)
