"""Where an attempt goes besides its feed's URL: each place has its say, and its turn, there too."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Final, TypeVar

from indexer.errors import Requeue, StorageError
from indexer.feeds.attempt import Poll
from indexer.feeds.identity.places import keys
from indexer.feeds.polling.blocks import Blocks
from indexer.feeds.polling.paces import Paces

T = TypeVar("T")

LONGEST_PAUSE: Final = 15.0
"""Seconds that a fetch waits on its way for a turn; for longer its claim is given back."""

NO_DATABASE: Final = "no-database"


class Visits:
    """Those of one attempt, as `indexer.feeds.fetching.fetching` asks for them."""

    def __init__(
        self,
        poll: Poll,
        paces: Paces,
        blocks: Blocks,
        now: Callable[[], datetime],
        sleep: Callable[[float], bool],
    ) -> None:
        """`sleep` tells whether it was cut short, as the program is to stop."""
        self._poll = poll
        self._paces = paces
        self._blocks = blocks
        self._now = now
        self._sleep = sleep
        # The poll has waited for these.
        self._paid = set(poll.keys)

    def __call__(self, url: str, besides: bool) -> datetime | None:
        """Wait for the turn of a place that is new, or is asked once more.

        None when it may be visited; else the moment before which it may not.
        """
        places = keys(self._poll.sources_id if besides else None, url)
        owed = places if besides else [key for key in places if key not in self._paid]
        until = self._wait(owed) if owed else None
        if until is None:
            self._paid.update(places)
        return until

    def begin_late(self) -> datetime | None:
        """Wait for another turn of the poll's own places, as that which it had is over.

        None when it may begin; else the moment before which it may not.
        """
        return self._wait(self._poll.keys)

    def _wait(self, owed: Sequence[str]) -> datetime | None:
        now = self._now()
        until, wait = asked(lambda: self._turn(owed, now))
        if until is not None:
            return until
        if wait > LONGEST_PAUSE:
            return now + timedelta(seconds=wait)
        return now if wait and self._sleep(wait) else None

    def _turn(self, owed: Sequence[str], now: datetime) -> tuple[datetime | None, float]:
        until = self._blocks.until(owed, now)
        return until, 0.0 if until else self._paces.reserve(owed, now, LONGEST_PAUSE)


def asked(question: Callable[[], T]) -> T:
    """What the database says. Raises Requeue if it says nothing."""
    try:
        return question()
    except StorageError as error:
        raise Requeue(NO_DATABASE, str(error)) from error
