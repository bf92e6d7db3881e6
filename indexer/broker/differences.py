"""Differences between a broker and a topology, as lines of text for people."""

from collections.abc import Collection, Iterator

from indexer.messages.topology import Binding, Topology


def binding_differences(
    topology: Topology, exchange: str, bound: Collection[Binding]
) -> Iterator[str]:
    """The missing and the superfluous bindings of one exchange, one line for each."""
    wanted = {binding for binding in topology.bindings if binding.exchange == exchange}
    for binding in sorted(wanted.difference(bound), key=str):
        yield f"queue {binding.queue} is not bound to {exchange} ({binding.key})"
    for binding in sorted(set(bound) - wanted, key=str):
        yield f"queue {binding.queue} should not be bound to {exchange} ({binding.key})"
