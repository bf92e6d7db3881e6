"""An exchange that a family's steps speak on, and what it means that no queue takes a message.

    EXCHANGE = Exchange(
        "sfm_exchange", {"harvest.start.#": Unheard.RETURNED, "*.status.#": Unheard.DROPPED}
    )

A family declares its exchange once, as a constant. `pipeline.py` names it in the pipeline, and the
family's programs in their class: AMQP can't store the table, and the publisher decides.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from indexer.messages.topics import matches


class Unheard(StrEnum):
    """What it means that no queue takes a message."""

    ERROR = "error"
    """A step that must be connected is not: the program ends with `Unroutable`."""
    RETURNED = "returned"
    """A request that no program serves: it is handed back to its sender as a value."""
    DROPPED = "dropped"
    """A notice that nobody waits for, a status: it is counted and dropped."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A durable topic exchange, and the meaning of messages that no queue takes.

    The meaning of a key is that of the first pattern in `unheard` that matches it; ERROR if none
    does. Of a `shared` exchange other programs and pipelines have bindings, too: only the
    bindings of a pipeline's own queues are removed when the pipeline no longer has them.
    """

    name: str
    unheard: Mapping[str, Unheard] = field(default_factory=dict)
    shared: bool = False

    def meaning(self, key: str) -> Unheard:
        """What it means that no queue takes a message with this routing key."""
        found = (unheard for pattern, unheard in self.unheard.items() if matches(pattern, key))
        return next(found, Unheard.ERROR)


CONNECTED = Exchange("")
"""The table of programs that speak on no exchange but their own output: all must be connected."""
