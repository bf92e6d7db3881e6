"""A snapshot keeps the last value of each metric."""

from indexer.metrics import attached
from indexer.metrics.snapshot import Snapshot
from tests.metrics.sinks import DEPTH, FILES, LEVEL, Heard


def test_gauges_are_as_they_were_last_and_counters_add_up() -> None:
    snapshot = Snapshot()
    with attached(snapshot):
        DEPTH.set(3, name="b-in")
        DEPTH.set(5, name="b-in")
        DEPTH.set(1, name="a-in")
        FILES.add(2, status="success")
        FILES.add(status="success")
    assert snapshot.rows() == [
        {"name": "test.depth", "labels": {"name": "a-in"}, "value": 1},
        {"name": "test.depth", "labels": {"name": "b-in"}, "value": 5},
        {"name": "test.files", "labels": {"status": "success"}, "value": 3},
    ]


def test_a_forgotten_gauge_is_not_in_it() -> None:
    snapshot = Snapshot()
    with attached(snapshot):
        LEVEL.set(1)
        LEVEL.forget()
    assert snapshot.rows() == []


def test_gauges_missing_in_a_later_snapshot_are_removed_from_all_sinks() -> None:
    before, after, heard = Snapshot(), Snapshot(), Heard()
    with attached(before):
        DEPTH.set(1, name="kept-in")
        DEPTH.set(1, name="gone-in")
        FILES.add(status="success")
    with attached(after):
        DEPTH.set(2, name="kept-in")
    with attached(heard):
        before.forget_all_but(after)
    assert heard.forgotten == [("test.depth", ("gone-in",))]
