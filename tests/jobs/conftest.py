"""A store of each kind, with a clock that only the test moves."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta

import pytest

from indexer.database import Database
from indexer.jobs.claim import JobClaim
from indexer.jobs.job import NewJob
from indexer.jobs.store import JobStore
from indexer.messages.message import Delivery, Send
from tests.clock import Clock
from tests.jobs.new_jobs import new_jobs

LEASE = timedelta(seconds=120)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A database of each kind without jobs."""
    with closing(new_jobs(database_url)) as opened:
        yield opened


@pytest.fixture
def now(clock: Clock) -> Callable[[], datetime]:
    """The time as the tables hold it."""
    return lambda: clock.utc().replace(tzinfo=None)


@pytest.fixture
def store(database: Database, now: Callable[[], datetime]) -> JobStore:
    """The jobs of the step `work`."""
    return JobStore(database, "work", LEASE, now)


def add(store: JobStore, id: str = "a") -> None:
    """Store a new job."""
    assert store.add(NewJob(id, f"label of {id}", Delivery(7, b"{}", headers={"x": 1}))) is None


def claimed(store: JobStore) -> JobClaim:
    """The claim on the job that is due."""
    claim = store.claim()
    assert claim is not None
    return claim


def output(body: bytes) -> Send:
    """An output of a job."""
    return Send("work-out", "default", body)
