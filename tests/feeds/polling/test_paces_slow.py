"""Many fetchers that reserve turns at once."""

import threading
from concurrent.futures import ThreadPoolExecutor

from indexer.database import Database
from indexer.feeds.polling.paces import Paces
from tests.feeds.polling.test_paces import KEYS, NOW, later


def test_many_polls_that_redirect_to_one_host_all_get_a_turn(feeds_db: Database) -> None:
    paces = Paces(feeds_db, 5.0)
    waiting = dict.fromkeys(range(100), 0.0)
    for second in range(0, 600, 5):
        for each, until in list(waiting.items()):
            if until <= second:
                wait = paces.reserve(["host:a.example"], later(second), longest=60)
                waiting[each] = second + wait
                if wait <= 60:
                    del waiting[each]
    assert not waiting


def test_no_two_processes_get_the_same_turn(feeds_db: Database) -> None:
    barrier = threading.Barrier(8)

    def reserve(_: int) -> list[float]:
        paces = Paces(feeds_db, 5.0)
        barrier.wait()
        return [paces.reserve(KEYS, NOW) for _ in range(5)]

    with ThreadPoolExecutor(8) as pool:
        turns = [turn for found in pool.map(reserve, range(8)) for turn in found]
    assert sorted(turns) == [5.0 * number for number in range(40)]
