"""Sites whose pages exhaust the extractors get less time."""

import pytest

from indexer.stories.extraction import site_brake
from indexer.stories.extraction.site_brake import FORGOTTEN_AFTER, LEAST_SECONDS, SiteBrake
from tests.clock import Clock

PAGE = "https://www.slow.com/2024/1"


def test_each_page_that_exhausts_the_limit_halves_that_of_its_site() -> None:
    brake = SiteBrake(32.0, Clock())
    given = []
    for _ in range(7):
        given.append(brake.seconds(PAGE))
        brake.exhausted("https://m.slow.com/other")
    assert given == [32.0, 16.0, 8.0, 4.0, 2.0, LEAST_SECONDS, LEAST_SECONDS]
    assert brake.seconds("https://www.other.com/") == 32.0


def test_an_hour_later_the_site_has_its_time_again() -> None:
    clock = Clock()
    brake = SiteBrake(30.0, clock)
    brake.exhausted(PAGE)
    clock.seconds += FORGOTTEN_AFTER / 2
    brake.exhausted(PAGE)
    clock.seconds += FORGOTTEN_AFTER - 1
    assert brake.seconds(PAGE) == 7.5
    clock.seconds += 1
    assert brake.seconds(PAGE) == 30.0


def test_a_limit_below_the_least_stays() -> None:
    brake = SiteBrake(0.5, Clock())
    for _ in range(5000):
        brake.exhausted(PAGE)
    assert brake.seconds(PAGE) == 0.5


def test_so_many_sites_are_remembered_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_brake, "MAX_SITES", 2)
    brake = SiteBrake(32.0, Clock())
    for host in ("a.com", "b.com", "a.com", "c.com"):
        brake.exhausted(f"https://{host}/1")
    assert [brake.seconds(f"https://{host}/2") for host in ("a.com", "b.com", "c.com")] == [
        8.0,
        32.0,
        16.0,
    ]
