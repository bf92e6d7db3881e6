"""Which connections a crowded server keeps, and which requests it answers: decided, not done."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from indexer.programs.serving.limits import HEALTH, HEALTH_PLACES, ServingLimits


class OpenConnection(Protocol):
    """One open connection.

    `visitor` is the same for all connections of a client. A connection waits until the head of a
    request is complete, and again when the answer is sent; `waiting_since` is the loop's time.
    """

    visitor: str
    waiting_since: float

    @property
    def is_waiting(self) -> bool:
        """See the class."""


V = TypeVar("V", bound=OpenConnection)


def to_close(newcomer: OpenConnection, others: Iterable[V], limits: ServingLimits) -> V | None:
    """Return the connection whose place a new one takes: the one that has waited longest.

    None if there are places, or if no connection waits: then `may_ask` decides.
    """
    all_others = list(others)
    of_client = [each for each in all_others if each.visitor == newcomer.visitor]
    crowd = all_others if len(all_others) >= limits.connections else []
    if limits.of_one_client and len(of_client) >= limits.of_one_client:
        crowd = of_client
    waiting = (each for each in crowd if each.is_waiting)
    return min(waiting, key=lambda each: each.waiting_since, default=None)


def may_ask(
    asking: OpenConnection, others: Iterable[OpenConnection], path: str, limits: ServingLimits
) -> bool:
    """Whether a request is answered, beside those of other connections that are being answered."""
    busy = [each for each in others if not each.is_waiting]
    of_client = sum(each.visitor == asking.visitor for each in busy)
    spare = HEALTH_PLACES if path in HEALTH else 0
    is_free = len(busy) < limits.connections + spare
    return is_free and (not limits.of_one_client or of_client < limits.of_one_client + spare)
