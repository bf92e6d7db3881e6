"""The simulation, small: the promises that hold whatever the feeds do."""

from benchmarks.simulation.figures import Figures, broken_promises, figures
from benchmarks.simulation.memory import Memory
from benchmarks.simulation.policies import Ours, Policy
from benchmarks.simulation.world import build
from indexer.feeds.saving.saving import SaveOptions

OPTIONS = SaveOptions.of({})


def in_memory(policy: Policy, feeds: int = 150, days: int = 10) -> Figures:
    """The figures of some days in memory."""
    world = build(feeds, days, 1)
    return figures(world, Memory(world, policy, 1).run(lambda day, polls: None))


def test_our_schedule_keeps_its_promises_for_some_days() -> None:
    assert broken_promises(in_memory(Ours(OPTIONS, 1), 20, 3)) == []
