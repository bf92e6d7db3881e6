"""The simulation of more feeds and days."""

from pathlib import Path

import pytest

from benchmarks.simulation.figures import Figures, broken_promises, figures
from benchmarks.simulation.policies import Existing, Ours
from benchmarks.simulation.stored import Stored
from benchmarks.simulation.world import build
from indexer.feeds.saving.saving import SaveOptions
from tests.benchmarks.test_simulation import OPTIONS, in_memory


@pytest.fixture(scope="module")
def ours() -> Figures:
    return in_memory(Ours(OPTIONS, 1))


def test_our_schedule_keeps_its_promises(ours: Figures) -> None:
    assert broken_promises(ours) == []


def test_our_schedule_needs_fewer_requests_for_a_shorter_delay() -> None:
    existing = in_memory(Existing(1))
    quicker = in_memory(Ours(SaveOptions.of({"FEEDS_ONE_A_DAY_MINUTES": "720"}), 1))
    assert quicker.requests < 0.8 * existing.requests
    assert quicker.mean < existing.mean


def test_the_existing_rule_does_not_wait_for_hosts() -> None:
    found = in_memory(Existing(1))
    assert found.too_early > 0
    assert broken_promises(found)


def test_the_same_numbers_give_the_same_days(ours: Figures) -> None:
    assert in_memory(Ours(OPTIONS, 1)) == ours


def test_the_promises_hold_on_a_database(tmp_path: Path) -> None:
    world = build(30, 3, 1)
    record = Stored(world, OPTIONS, 1, tmp_path).run(lambda day, polls: None)
    assert broken_promises(figures(world, record)) == []
