"""The queues after a step, found in the bindings that a broker has.

A program doesn't know its place in the pipeline; the broker does. From `P-out` the way leads to the
input queues of the next steps, and from each of them to that step's own output exchange.
"""

from collections.abc import Iterator

from indexer.messages.topics import overlap
from indexer.messages.topology import (
    Destination,
    Queue,
    Topology,
    input_queue,
    output_exchange,
    quarantine_queue,
)

_INPUT, _QUARANTINE = input_queue(""), quarantine_queue("")


def downstream(step: str, routes: Topology) -> list[str]:
    """The queues in which messages of a step wait, at any later step, also for a retry.

    `routes` has the queues and bindings of the broker. Quarantines don't count, nor ends of
    pipelines, nor queues of single instances and of foreign programs, whose steps are unknown.
    """
    steps = {queue.name: _step(queue) for queue in routes.queues}
    found: dict[str, None] = {}
    seen = set()
    todo = [output_exchange(step)]
    while todo:
        exchange = todo.pop()
        # Steps may get each other's output through an exchange: a circle.
        if exchange in seen:
            continue
        seen.add(exchange)
        for queue in _fed(exchange, routes):
            if after := steps.get(queue):
                found[queue] = None
                found.update(dict.fromkeys(_delayed(queue, routes)))
                todo.append(output_exchange(after))
    return [*found]


def _fed(exchange: str, routes: Topology) -> Iterator[str]:
    """The queues that an exchange feeds, also through other exchanges."""
    todo: list[tuple[str, tuple[str, ...]]] = [(exchange, ())]
    passed = set()
    while todo:
        current, keys = todo.pop()
        for binding in routes.bindings:
            # A message passes several bindings only if its key matches all of them.
            if binding.exchange != current or not all(overlap(binding.key, key) for key in keys):
                continue
            if binding.kind is Destination.QUEUE:
                yield binding.destination
            elif binding not in passed:
                passed.add(binding)
                todo.append((binding.destination, (*keys, binding.key)))


def _step(queue: Queue) -> str:
    """The step whose input a queue is; "" if it is none."""
    # A flavor may give its input queue any name. Older systems' queues have no dead letters.
    if queue.dead_letter.endswith(_QUARANTINE):
        return queue.dead_letter.removesuffix(_QUARANTINE)
    if not queue.dead_letter and queue.name.endswith(_INPUT):
        return queue.name.removesuffix(_INPUT)
    return ""


def _delayed(queue: str, routes: Topology) -> list[str]:
    """The queues from which messages return to an input queue after a while."""
    return [each.name for each in routes.queues if each.dead_letter == queue]
