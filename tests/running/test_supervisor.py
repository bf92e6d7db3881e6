"""Counting failures; whole runs are in `test_supervisor_slow.py`."""

from indexer.running.supervisor import HEALTHY_SECONDS, Failures
from tests.clock import Clock


def test_failures_are_forgotten_after_a_time_of_health(clock: Clock) -> None:
    failures = Failures(clock)
    assert [failures.count("work") for _ in range(3)] == [1, 2, 3]
    assert failures.count("sink") == 1
    clock.sleep(HEALTHY_SECONDS + 1)
    assert [failures.count("work") for _ in range(2)] == [1, 2]
