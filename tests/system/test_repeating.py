"""An action is repeated in the background until it is closed, also after a failure."""

import threading

from indexer.errors import StorageError
from indexer.system.repeating import Repeating
from tests.patience import PATIENCE


def test_an_action_is_repeated_after_a_failure_until_it_is_closed() -> None:
    calls: list[int] = []
    enough = threading.Event()

    def act() -> None:
        calls.append(len(calls))
        if len(calls) == 3:
            enough.set()
        raise StorageError("the disk is full")

    with Repeating("testing", 0.001, act):
        assert enough.wait(PATIENCE)
    number = len(calls)
    assert not any(thread.name == "testing" for thread in threading.enumerate())
    assert len(calls) == number


def test_nothing_is_done_before_its_time() -> None:
    calls: list[bool] = []
    Repeating("testing", PATIENCE, lambda: calls.append(True)).close()
    assert calls == []
