"""What a broker has, compared with what a topology asks for: a line for a person each."""

from collections.abc import Collection, Iterator

from indexer.messages.topology import Binding, Topology


def binding_differences(
    topology: Topology, exchange: str, bound: Collection[Binding]
) -> Iterator[str]:
    """Bindings of one exchange that are missing, and those that should not be."""
    wanted = {binding for binding in topology.bindings if binding.exchange == exchange}
    for binding in sorted(wanted.difference(bound), key=str):
        yield f"queue {binding.queue} is not bound to {exchange} ({binding.key})"
    for binding in sorted(set(bound) - wanted, key=str):
        yield f"queue {binding.queue} should not be bound to {exchange} ({binding.key})"
