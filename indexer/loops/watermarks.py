"""How full the queues may get: filling starts below a low mark and stops at a high one.

Between the two it goes on as it was, so that a producer doesn't stop and start with every
message (seed: "Queuer").
"""

import shutil
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path

from indexer.broker import Broker
from indexer.errors import ConfigurationError

LOW_PART = 0.8
"""Where the low mark is when only the high one is given."""


class Room(StrEnum):
    """What was found; the labels of the metric `check-output` (stories.md 2.6)."""

    OK = "ok"
    UNKNOWN = "no-usage"
    QUEUES = "queue(s)-space-low"
    DISK = "disk-space-low"


class WaterMarks:
    """Whether there is room for more messages.

    `depth` counts the messages downstream, None when that can't be told; `disk_free` is what is
    free of the data's disk in percent, and has to be at least `min_disk_free`.
    Raises ConfigurationError when the low mark is above the high one.
    """

    def __init__(
        self,
        high: int,
        low: int | None,
        depth: Callable[[], int | None],
        *,
        min_disk_free: float = 0.0,
        disk_free: Callable[[], float] = lambda: 100.0,
    ) -> None:
        self._high = high
        self._low = int(high * LOW_PART) if low is None else low
        if not 0 <= self._low <= high:
            raise ConfigurationError(f"the low-water mark is 0 to {high}, the high one: not {low}")
        self._depth = depth
        self._min_disk_free = min_disk_free
        self._disk_free = disk_free
        self._filling = False

    def room(self) -> bool:
        """Whether more may be queued now."""
        return self.look() is Room.OK

    def look(self) -> Room:
        """Whether more may be queued now, or why not."""
        found = self._look()
        self._filling = found is Room.OK
        return found

    def _look(self) -> Room:
        if self._disk_free() < self._min_disk_free:
            return Room.DISK
        if (depth := self._depth()) is None:
            return Room.UNKNOWN
        mark = self._high if self._filling else self._low
        return Room.OK if depth < mark or depth == 0 else Room.QUEUES


def queued(broker: Broker, queues: Sequence[str]) -> int | None:
    """How many messages are in queues and in the hands of their consumers.

    None when a queue is missing. Raises BrokerError.
    """
    total = 0
    for queue in queues:
        if (depth := broker.depth(queue)) is None:
            return None
        total += depth.ready + (depth.unsettled or 0)
    return total


def disk_free(path: Path) -> float:
    """How much of the disk that holds a path, or will, is free; in percent."""
    existing = next(each for each in (path.absolute(), *path.absolute().parents) if each.exists())
    usage = shutil.disk_usage(existing)
    return 100.0 * usage.free / usage.total
