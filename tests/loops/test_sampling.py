"""Samples of what a producer makes."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from indexer.errors import ConfigurationError
from indexer.loops.sampling import Sampler
from indexer.messages.worker import Mark, Skipped
from indexer.stories.story import RSSEntry, Story
from tests.each_row import each_row

Item = Story | Skipped | Mark


def items(count: int) -> Iterator[Item]:
    """Stories, with skipped items and marks between them."""
    for number in range(count):
        yield Story(rss_entry=RSSEntry(link=f"http://a.example/{number}"))
        yield Skipped("bad", "x") if number % 2 else Mark()


def kept(sampler: Sampler, count: int = 100) -> int:
    """The number of selected stories."""
    return sum(isinstance(item, Story) for item in sampler.sample(items(count)))


def test_without_limits_everything_passes() -> None:
    sampler = Sampler()
    assert list(sampler.sample(items(10))) == list(items(10))
    assert not sampler.active


def test_at_most_so_many() -> None:
    assert kept(Sampler(max_messages=7)) == 7
    assert kept(Sampler(max_messages=0)) == 0
    assert kept(Sampler(max_messages=7), 3) == 3


def test_what_is_left_out_is_dropped_and_told() -> None:
    chances = itertools.cycle([0.05, 0.95])
    sampler = Sampler(random_sample=50, chance=lambda: next(chances))
    found = list(sampler.sample(items(4)))
    assert [item.label for item in found if isinstance(item, Story)] == [
        "http://a.example/0",
        "http://a.example/2",
    ]
    assert [item for item in found if isinstance(item, Skipped) and item.status == "dropped"] == [
        Skipped("dropped", "http://a.example/1"),
        Skipped("dropped", "http://a.example/3"),
    ]


@each_row(("percent", "count"), [(0, 0), (10, 10), (33.5, 34), (100, 100)])
def test_a_percentage_is_one(percent: float, count: int) -> None:
    chances = iter(number / 100 for number in range(100))
    assert kept(Sampler(random_sample=percent, chance=lambda: next(chances))) == count


def test_a_sample_is_a_tenth_and_at_most_so_many() -> None:
    chances = itertools.cycle(number / 10 for number in range(10))
    assert kept(Sampler(sample_size=5, chance=lambda: next(chances)), 1000) == 5
    assert kept(Sampler(sample_size=50, chance=lambda: next(chances)), 100) == 10


def test_nothing_is_read_beyond_the_last() -> None:
    source = items(100)
    list(Sampler(max_messages=1).sample(source))
    assert isinstance(next(source), Mark)


@each_row(
    "given",
    [
        {"sample_size": 5, "max_messages": 5},
        {"sample_size": 5, "random_sample": 5},
        {"random_sample": 101},
        {"random_sample": -1},
    ],
)
def test_contradictions_are_an_error(given: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        Sampler(**given)
