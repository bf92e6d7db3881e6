"""Tests of the state of all sites."""

import pytest

from indexer.errors import Requeue, Retry
from indexer.http.politeness import Scoreboard, SiteLimits
from tests.clock import Clock


@pytest.fixture
def board(clock: Clock) -> Scoreboard:
    return Scoreboard(SiteLimits(held=8), clock, jitter=lambda: 0.0)


def test_sites_don_t_wait_for_each_other(board: Scoreboard) -> None:
    waits = [board.reserve(name) for name in ("a.com", "b.com", "a.com", "b.com")]

    assert waits == [0, 0, 5, 5]


def test_a_visit_ends_however_it_ends(board: Scoreboard) -> None:
    for _ in range(20):
        with pytest.raises(RuntimeError), board.visit("a.com"):
            raise RuntimeError

    site = board.sites()["a.com"]
    assert (site.held, site.active) == (0, 0)


def test_a_visit_that_may_not_start_gives_its_place_back(board: Scoreboard) -> None:
    board.reserve("a.com")
    with board.visit("a.com") as visit:
        visit.unreachable()
        with pytest.raises(Retry, match="skipped2"), board.visit("a.com"):
            pytest.fail("it started")

    site = board.sites()["a.com"]
    assert (site.held, site.active) == (0, 0)


def test_a_site_that_could_not_be_reached_is_tried_again_later(
    board: Scoreboard, clock: Clock
) -> None:
    with board.visit("a.com") as visit:
        visit.unreachable()

    with pytest.raises(Retry, match="skipped"):
        board.reserve("a.com")
    clock.sleep(600)
    assert board.reserve("a.com") == 0


def test_the_answers_of_a_site_set_its_interval(board: Scoreboard, clock: Clock) -> None:
    with board.visit("a.com") as visit:
        visit.succeeded(40.0)
    assert [board.reserve("a.com") for _ in range(2)] == [0, 10]

    with board.visit("a.com") as visit:
        visit.throttled(None)
    clock.sleep(30)
    assert [board.reserve("a.com") for _ in range(2)] == [0, 30]


def test_a_site_may_ask_for_a_longer_interval(board: Scoreboard) -> None:
    board.slow_down("a.com", 20.0)

    assert [board.reserve("a.com") for _ in range(2)] == [0, 20]


def test_no_interval_means_full_speed(clock: Clock) -> None:
    board = Scoreboard(SiteLimits(min_interval=0.0, initial_interval=0.0, held=50), clock)

    assert [board.reserve("a.com") for _ in range(50)] == [0.0] * 50
    with pytest.raises(Requeue):
        board.reserve("a.com")


def test_idle_sites_are_forgotten_after_an_hour_and_not_before(
    board: Scoreboard, clock: Clock
) -> None:
    for name in ("a.com", "b.com"):
        with board.visit(name):
            pass
    clock.sleep(3000)
    board.slow_down("b.com", 1.0)
    with board.visit("b.com"):
        pass
    clock.sleep(599)
    board.charge("c.com")
    assert list(board.sites()) == ["a.com", "b.com", "c.com"]
    clock.sleep(61)
    board.charge("d.com")
    assert list(board.sites()) == ["b.com", "c.com", "d.com"]


def test_the_number_of_sites_is_bounded_and_the_oldest_idle_ones_go(clock: Clock) -> None:
    board = Scoreboard(SiteLimits(sites=200), clock)
    board.reserve("held.com")
    for number in range(1000):
        board.charge(f"{number}.com")

    names = list(board.sites())
    assert len(names) <= 200
    assert "held.com" in names
    assert names[-1] == "999.com"
