"""The table of crumbs: several collectors, many rows."""

import threading
from concurrent.futures import ThreadPoolExecutor

from indexer.pipeview.store import CrumbStore, Selection
from tests.patience import PATIENCE
from tests.pipeview.counted import a_crumb, put, rows


def test_collectors_that_count_the_same_at_once_lose_nothing(database_url: str) -> None:
    crumbs = [a_crumb(feed=number, domain=None if number % 3 else "a") for number in range(200)]
    begun = threading.Barrier(4, timeout=PATIENCE)

    def collect(collector: int) -> None:
        store = CrumbStore.open(database_url)
        begun.wait()
        for number in range(5):
            # Each has them in another order, and "shared" comes to all of them.
            start = collector * 50
            put(store, *crumbs[start:], *crumbs[:start], id=f"{collector}-{number}")
            put(store, *crumbs, id=f"shared-{number}")
        store.close()

    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(collect, range(4))] == [None] * 4
    store = CrumbStore.open(database_url)
    assert rows(store) == [(200 * 5 * (4 + 1), 200)]
    store.close()


def test_rows_are_read_as_they_are_asked_for(store: CrumbStore) -> None:
    put(store, *(a_crumb(feed=feed) for feed in range(3000)))
    found = store.sums(["feed_id"], Selection())
    assert next(found)["feed_id"] == 0
    put(store, a_crumb(feed=5000))
    assert sum(1 for _ in found) == 2999
