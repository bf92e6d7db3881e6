"""Politeness with many threads."""

import threading

from indexer.http.politeness import Scoreboard, SiteLimits
from tests.clock import Clock


def test_a_hundred_threads_get_turns_that_are_an_interval_apart(clock: Clock) -> None:
    board = Scoreboard(SiteLimits(held=100, wait=1000.0), clock)
    waits: list[float] = []
    threads = [
        threading.Thread(target=lambda: waits.append(board.reserve("a.com"))) for _ in range(100)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(waits) == [5 * number for number in range(100)]
