"""The gauges of a fetcher's stories."""

from contextlib import suppress

from indexer.http.politeness import Traffic
from indexer.metrics import attached
from indexer.metrics.snapshot import Snapshot
from tests.clock import Clock


class Shown:
    """The traffic of a fetcher, and the values of its gauges."""

    def __init__(self, clock: Clock) -> None:
        self.traffic = Traffic(32, lambda: 7, clock)
        self.snapshot = Snapshot()

    def __call__(self) -> dict[str, float]:
        """The values of the gauges, by name or status."""
        rows = self.snapshot.rows()
        return {row["labels"].get("status", row["name"]): row["value"] for row in rows}


def test_stories_are_delayed_then_ready_then_active_then_gone(clock: Clock) -> None:
    shown = Shown(clock)
    with attached(shown.snapshot):
        shown.traffic.arrived(5)
        shown.traffic.arrived(0)
        assert shown() == {
            "active": 0,
            "delayed": 1,
            "ready": 1,
            "prefetch": 32,
            "slots.active": 0,
            "slots.recent": 7,
        }
        with shown.traffic.fetching("a.example"):
            assert (shown()["active"], shown()["ready"], shown()["delayed"]) == (1, 0, 1)
            clock.sleep(5)
            with shown.traffic.fetching("a.example"):
                assert (shown()["active"], shown()["ready"], shown()["delayed"]) == (2, 0, 0)
                assert shown()["slots.active"] == 1
        assert (shown()["active"], shown()["slots.active"]) == (0, 0)


def test_the_gauges_add_up_to_the_number_of_stories(clock: Clock) -> None:
    shown = Shown(clock)
    with attached(shown.snapshot):
        for wait in range(10):
            shown.traffic.arrived(wait)
        clock.sleep(3.5)
        with shown.traffic.fetching("a.example"), shown.traffic.fetching("b.example"):
            numbers = shown()
    assert numbers["active"] + numbers["ready"] + numbers["delayed"] == 10
    assert numbers["delayed"] == 6


def test_a_failed_fetch_no_longer_counts_as_active(clock: Clock) -> None:
    shown = Shown(clock)

    def fail() -> None:
        with shown.traffic.fetching("a.example"):
            raise ValueError

    with attached(shown.snapshot), suppress(ValueError):
        fail()
    assert shown()["active"] == 0
