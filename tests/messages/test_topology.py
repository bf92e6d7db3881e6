"""What a broker is asked to have, and what it has to remove."""

import pytest

from indexer.errors import ConfigurationError
from indexer.messages.topology import (
    Binding,
    Destination,
    Queue,
    Topology,
    instance_topology,
)

TO_EXCHANGE = Destination.EXCHANGE


def test_other_bindings_of_an_own_exchange_are_superfluous() -> None:
    topology = Topology([Queue("q")], ["own"], [Binding("own", "q", "a")])
    old = [Binding("own", "q", "#"), Binding("own", "other", "#", TO_EXCHANGE)]
    assert set(topology.superfluous("own", [*topology.bindings, *old])) == set(old)


def test_of_a_shared_exchange_only_bindings_to_own_destinations_are_superfluous() -> None:
    topology = Topology([Queue("q")], ["own"], [Binding("all", "q", "a")], shared=["all"])
    old = [Binding("all", "q", "b"), Binding("all", "own", "b", TO_EXCHANGE)]
    foreign = [
        Binding("all", "foreign", "b"),
        Binding("all", "q", "b", TO_EXCHANGE),
        Binding("all", "own", "b"),
    ]
    assert set(topology.superfluous("all", [*topology.bindings, *old, *foreign])) == set(old)


def test_the_bindings_of_instances_are_left_alone() -> None:
    topology = Topology(instances=["w-instances"])
    assert topology.superfluous("w-instances", [Binding("w-instances", "w-in_host", "#")]) == []


def test_an_instance_has_a_queue_of_its_own_that_expires() -> None:
    assert instance_topology("w", "host", "w_worker", 600) == Topology(
        queues=[Queue("w_worker_host", expires=600)],
        bindings=[Binding("w-instances", "w_worker_host", "#")],
    )
    assert instance_topology("w", "host").queues[0].name == "w-in_host"


def test_a_queue_expires_after_ten_minutes_at_least() -> None:
    assert Queue("q", expires=600).expires == 600
    with pytest.raises(ConfigurationError, match=r"queue q: .* 599 seconds.* 600"):
        Queue("q", expires=599)
