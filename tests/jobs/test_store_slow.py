"""Many threads and processes claim jobs at once, on each database: each job has one holder."""

from concurrent.futures import ThreadPoolExecutor

from indexer.jobs.job import NewJob
from indexer.jobs.store import JobStore
from indexer.messages.message import Delivery
from tests.clock import Clock
from tests.jobs.conftest import add

JOBS = 30


def claim_all(store: JobStore) -> list[str]:
    """Claim jobs until there is none; their ids."""
    ids = []
    while claim := store.claim():
        ids.append(claim.job.record.id)
    return ids


def test_jobs_that_many_claim_at_once_have_one_holder_each(store: JobStore, clock: Clock) -> None:
    for number in range(JOBS):
        add(store, f"{number}")
    for deaths in range(3):
        with ThreadPoolExecutor(8) as pool:
            found = [id for ids in pool.map(claim_all, [store] * 8) for id in ids]
        # A thread may find all others' rows locked and end; nobody else's job is lost by that.
        found += claim_all(store)
        assert sorted(found, key=int) == [f"{number}" for number in range(JOBS)], deaths
        clock.sleep(120)


def test_one_of_many_equal_messages_stores_the_job(store: JobStore) -> None:
    def store_it(number: int) -> bool:
        return store.add(NewJob("a", f"{number}", Delivery(number, b"{}"))) is None

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(store_it, range(40))) == 1
