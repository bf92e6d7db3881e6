"""Whether there is room for a producer's messages: in the queues, and on the disk of the data."""

import logging
from collections.abc import Callable

from indexer.broker import Broker
from indexer.loops.watermarks import Room, WaterMarks, disk_free, queued
from indexer.messages.downstream import downstream
from indexer.messages.topology import output_exchange
from indexer.metrics import counter, gauge
from indexer.programs.start import ProducerLoopOptions

CHECK_OUTPUT = counter("check-output", "checks for room for messages, by result", "status")
DISK_FREE = gauge("data-disk-free", "free part of the data's disk, in percent")


log = logging.getLogger(__name__)


def room_for(options: ProducerLoopOptions, broker: Broker, step: str) -> Callable[[], bool]:
    """Make the function that says whether more messages may be queued; it counts its results.

    Without `--watch-queues` the queues after the step are watched, as the broker has them now.
    """
    watched = options.watch_queues or _after(step, options, broker)
    marks = WaterMarks(
        options.max_queue_len,
        options.min_queue_len,
        lambda: queued(broker, watched),
        min_disk_free=options.min_disk_free,
        disk_free=lambda: _disk_free(options),
    )
    seen = Room.OK

    def room() -> bool:
        nonlocal seen
        found = marks.look()
        CHECK_OUTPUT.add(status=found)
        # Only changes are logged: the check is repeated once a minute.
        if found is not seen:
            log.warning("room for messages: %s (%s)", found, ", ".join(watched))
        seen = found
        return found is Room.OK

    return room


def _after(step: str, options: ProducerLoopOptions, broker: Broker) -> list[str]:
    """The queues after a step; none, with a warning, if the broker doesn't tell."""
    if options.dry_run:
        return []
    routes = broker.routes()
    found = downstream(step, routes) if routes else []
    if not found:
        why = f"no step's queue is bound to {output_exchange(step)}"
        if routes is None:
            why = "the broker can't list its bindings"
        log.warning("no back-pressure: %s; name the queues with --watch-queues", why)
    return found


def _disk_free(options: ProducerLoopOptions) -> float:
    free = disk_free(options.data)
    DISK_FREE.set(free)
    return free
