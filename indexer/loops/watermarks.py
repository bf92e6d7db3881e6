"""Water marks: a producer starts to queue below a low mark, and stops at a high one.

Between the two marks it goes on as before, so that it doesn't stop and start with every message
(seed: "Queuer").
"""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from pathlib import Path

from indexer.broker import Broker
from indexer.errors import ConfigurationError

LOW_PART = 0.8
"""The default low mark, as a part of the high one."""


class Room(StrEnum):
    """The result of a check for room: labels of the metric `check-output` (stories.md 2.6)."""

    OK = "ok"
    UNKNOWN = "no-usage"
    QUEUES = "queue(s)-space-low"
    DISK = "disk-space-low"


@dataclass
class WaterMarks:
    """Checks whether there is room for more messages.

    `depth` returns the number of messages downstream, or None if it is unknown; `disk_free` the
    free part of the data's disk in percent, which has to be at least `min_disk_free`. Raises
    ConfigurationError if the low mark is above the high one.
    """

    high: int
    low: int | None
    depth: Callable[[], int | None]
    _: KW_ONLY
    min_disk_free: float = 0.0
    disk_free: Callable[[], float] = lambda: 100.0
    _filling: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._low = int(self.high * LOW_PART) if self.low is None else self.low
        if not 0 <= self._low <= self.high:
            raise ConfigurationError(
                f"the low-water mark is 0 to {self.high}, the high one: not {self.low}"
            )

    def room(self) -> bool:
        """Whether more messages may be queued now."""
        return self.look() is Room.OK

    def look(self) -> Room:
        """Whether more messages may be queued now, or the reason why not."""
        found = self._look()
        self._filling = found is Room.OK
        return found

    def _look(self) -> Room:
        if self.disk_free() < self.min_disk_free:
            return Room.DISK
        if (depth := self.depth()) is None:
            return Room.UNKNOWN
        mark = self.high if self._filling else self._low
        # Empty queues have room even if a mark is 0: otherwise nothing would ever be queued.
        return Room.OK if depth < mark or depth == 0 else Room.QUEUES


def queued(broker: Broker, queues: Sequence[str]) -> int | None:
    """How many messages are in queues or unsettled at their consumers.

    None if a queue is missing. Raises BrokerError.
    """
    total = 0
    for queue in queues:
        if (depth := broker.depth(queue)) is None:
            return None
        total += depth.ready + (depth.unsettled or 0)
    return total


def disk_free(path: Path) -> float:
    """The free part of a path's disk, in percent; the path itself may be missing."""
    existing = next(each for each in (path.absolute(), *path.absolute().parents) if each.exists())
    usage = shutil.disk_usage(existing)
    return 100.0 * usage.free / usage.total
