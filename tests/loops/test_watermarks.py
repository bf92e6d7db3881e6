"""Water marks."""

from collections.abc import Iterable
from pathlib import Path
from typing import cast

import pytest

from indexer.broker import Broker, Depth
from indexer.errors import ConfigurationError
from indexer.loops.watermarks import Room, WaterMarks, disk_free, queued
from tests.each_row import each_row


def rooms(high: int, low: int | None, depths: Iterable[int | None]) -> list[bool]:
    """The results of checks at a series of depths."""
    series = iter(depths)
    marks = WaterMarks(high, low, lambda: next(series))
    return [marks.room() for _ in list(depths)]


@pytest.mark.parametrize(
    ("depths", "expected"),
    [
        ([0, 50, 79, 80, 99, 100], [True, True, True, True, True, False]),
        ([100, 99, 80, 79, 80, 99, 100], [False, False, False, True, True, True, False]),
        ([80], [False]),
        ([79], [True]),
        ([10, 150, 90, 50], [True, False, False, True]),
        ([None, 10, None, 90, 79], [False, True, False, False, True]),
    ],
    ids=["fills", "starts-below-low", "at-low", "below-low", "overshoots", "unknown"],
)
def test_filling_starts_below_the_low_mark_and_stops_at_the_high_one(
    depths: list[int | None], expected: list[bool]
) -> None:
    assert rooms(100, 80, depths) == expected


def test_the_low_mark_is_four_fifths_of_the_high_one_if_not_given() -> None:
    assert rooms(10, None, [8, 7, 9, 10]) == [False, True, True, False]


@pytest.mark.parametrize(("high", "low"), [(0, None), (1, 0), (1, None)])
def test_an_empty_queue_always_has_room(high: int, low: int | None) -> None:
    assert rooms(high, low, [0]) == [True]


@pytest.mark.parametrize(("high", "low"), [(10, 11), (10, -1), (-5, None)])
def test_marks_in_the_wrong_order_are_an_error(high: int, low: int | None) -> None:
    with pytest.raises(ConfigurationError, match="low-water"):
        WaterMarks(high, low, lambda: 0)


@each_row(
    ("depth", "free", "found"),
    [
        (0, 30.0, Room.OK),
        (0, 24.9, Room.DISK),
        (None, 30.0, Room.UNKNOWN),
        (1000, 30.0, Room.QUEUES),
        (1000, 1.0, Room.DISK),
    ],
)
def test_why_there_is_no_room(depth: int | None, free: float, found: Room) -> None:
    marks = WaterMarks(100, 80, lambda: depth, min_disk_free=25.0, disk_free=lambda: free)
    assert marks.look() is found


class Queues:
    """A broker that has nothing but depths."""

    def __init__(self, **depths: Depth) -> None:
        self.depths = depths

    def depth(self, queue: str) -> Depth | None:
        return self.depths.get(queue)


BROKER = cast(Broker, Queues(a=Depth(10, 2, 1), b=Depth(5, None, 0)))


@each_row(("queues", "count"), [([], 0), (["a"], 12), (["a", "b"], 17), (["a", "missing"], None)])
def test_all_queues_count_with_what_is_in_hand(queues: list[str], count: int | None) -> None:
    assert queued(BROKER, queues) == count


def test_the_disk_of_a_directory_that_is_not_there_yet(tmp_path: Path) -> None:
    assert 0 < disk_free(tmp_path / "not/yet") <= 100
