"""Permission for the requests of an attempt: blocks and turns of each host that it visits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeVar

from indexer.errors import Requeue, StorageError
from indexer.feeds.attempt import Poll
from indexer.feeds.identity.places import keys
from indexer.feeds.polling.paces import BlockedHosts, Paces

T = TypeVar("T")

LONGEST_PAUSE: Final = 15.0
"""Seconds that an attempt under way waits for a turn; for a later turn it is postponed."""

NO_DATABASE: Final = "no-database"


@dataclass
class Visits:
    """The visits of one attempt: a `Visit` of `indexer.feeds.fetching.fetching`.

    `sleep` returns true if it was interrupted, as the program is to stop.
    """

    poll: Poll
    paces: Paces
    blocks: BlockedHosts
    now: Callable[[], datetime]
    sleep: Callable[[float], bool]

    def __post_init__(self) -> None:
        # The scheduler's message was held until the turn of these.
        self._had_turn = set(self.poll.keys)

    def __call__(self, url: str, is_extra: bool) -> datetime | None:
        """Wait for the turn of a URL's host and domain, unless this attempt has had it.

        An extra request always takes a turn, also of the source. None if the URL may be visited
        now, else the moment before which it may not.
        """
        wanted = keys(self.poll.sources_id if is_extra else None, url)
        waiting = wanted if is_extra else [key for key in wanted if key not in self._had_turn]
        until = self._wait(waiting) if waiting else None
        if until is None:
            self._had_turn.update(wanted)
        return until

    def begin_late(self) -> datetime | None:
        """Wait for another turn of the poll's own keys, as the attempt missed the one it had.

        None if it may begin now, else the moment before which it may not.
        """
        return self._wait(self.poll.keys)

    def _wait(self, waiting: Sequence[str]) -> datetime | None:
        now = self.now()
        until, wait = query_or_requeue(lambda: self._turn(waiting, now))
        if until is not None:
            return until
        if wait > LONGEST_PAUSE:
            return now + timedelta(seconds=wait)
        return now if wait and self.sleep(wait) else None

    def _turn(self, waiting: Sequence[str], now: datetime) -> tuple[datetime | None, float]:
        # Blocks first: a turn that is taken and not used would delay other feeds.
        until = self.blocks.until(waiting, now)
        return until, 0.0 if until else self.paces.reserve(waiting, now, LONGEST_PAUSE)


def query_or_requeue(query: Callable[[], T]) -> T:
    """The result of a query. Raises Requeue if the database fails."""
    try:
        return query()
    except StorageError as error:
        raise Requeue(NO_DATABASE, str(error)) from error
