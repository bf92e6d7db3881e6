"""Tests of allowances: the limits of one exchange, by a clock that stands still."""

import pytest

from indexer.errors import TooLarge
from indexer.http.connections.bounded import Allowance, LeastRate
from tests.clock import Clock


def waited(allowance: Allowance, clock: Clock, seconds: float, received: int) -> None:
    """Receive bytes after a time."""
    allowance.patience()
    clock.sleep(seconds)
    allowance.take(received)


def allowance(clock: Clock, **given: object) -> Allowance:
    made = Allowance(**{"seconds": 100.0, "pause": 10.0, "clock": clock} | given)  # type: ignore[arg-type]
    made.grant(1_000_000)
    return made


def test_a_call_may_take_the_time_that_is_left_or_one_pause(clock: Clock) -> None:
    own = allowance(clock)
    assert own.patience() == 10.0
    clock.sleep(95.0)
    assert own.patience() == 5.0
    clock.sleep(5.0)
    with pytest.raises(TimeoutError):
        own.patience()
    assert own.late() == "not done in 100 s"
    own.extend(200.0)
    assert own.patience() == 10.0


def test_more_bytes_than_granted_are_an_error(clock: Clock) -> None:
    own = allowance(clock)
    own.grant(10)
    own.take(10)
    with pytest.raises(TooLarge):
        own.take(1)
    assert own.received == 11


def test_the_least_rate_counts_the_time_of_waiting_only(clock: Clock) -> None:
    own = allowance(clock, seconds=1e9, rate=LeastRate(100, 20.0))
    for _ in range(10):
        waited(own, clock, 9.0, 50)
        waited(own, clock, 9.0, 50)
        clock.sleep(1000.0)  # the caller writes to a slow disk
    assert own.patience() == 10.0


def test_a_server_that_is_slower_than_the_least_rate_is_late(clock: Clock) -> None:
    own = allowance(clock, rate=LeastRate(100, 20.0))
    waited(own, clock, 9.0, 50)
    waited(own, clock, 9.0, 49)
    assert own.patience() == 2.0
    clock.sleep(2.0)
    assert own.late() == "slower than 100 bytes in 20 s"
    own.take(0)
    with pytest.raises(TimeoutError):
        own.patience()


def test_a_fast_beginning_does_not_pay_for_a_slow_end(clock: Clock) -> None:
    own = allowance(clock, rate=LeastRate(100, 20.0))
    waited(own, clock, 0.1, 100_000)
    waited(own, clock, 9.0, 1)
    waited(own, clock, 9.0, 1)
    assert own.patience() == pytest.approx(2.0)
