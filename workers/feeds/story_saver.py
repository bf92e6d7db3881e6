"""Ends attempts: saves new stories, the event, and the time of each feed's next poll.

A batch is one transaction. Stories become visible in the order of their ids. New stories are also
sent to the program's output.

statuses:
  saved        the attempt is in the database, successful or not
  postponed    not fetched: the feed is polled when its host's pause or its turn comes
  again        saved before: its new stories are sent again
  stale        discarded: its lease has expired, so the feed is polled again
  missing      discarded: the feed does not exist any more
  unsavable    quarantined: not even a failure can be stored for it; the feed is polled again

example:
  story-indexer program story-saver --database-url postgresql://feeds@localhost/feeds
"""

import sys
from collections.abc import Callable, Sequence
from datetime import datetime

from indexer.database import utc_now
from indexer.errors import Discard, Quarantine, StorageError
from indexer.feeds import metrics, statuses
from indexer.feeds.attempt import Attempt, NewStory
from indexer.feeds.saving.saving import MISSING, SAVED, STALE, UNSAVABLE, Saved, SaveOptions, Saver
from indexer.feeds.store import FeedsOptions, open_feeds
from indexer.messages.worker import BatchWorker, Done
from indexer.news.counting import STORIES
from indexer.programs.app import run_batch_worker
from indexer.system.loggers import get_logger
from indexer.system.options import group, option
from indexer.system.patience import Patience

log = get_logger()

_COUNTED = {STALE: "insane", MISSING: "missing"}
"""Names that dashboards have for attempts that were not saved (feeds.md 12)."""

OUTAGE_ATTEMPTS = 16
"""Attempts at a database that does not answer: about five minutes."""


class SaverOptions(FeedsOptions):
    """Options of the saver."""

    saving: SaveOptions = group(SaveOptions)
    output: bool = option(
        True, "send new stories to the output, besides storing them", "STORY_SAVER_OUTPUT"
    )


class StorySaver(BatchWorker[Attempt, NewStory]):
    """Stores attempts, and sends their new stories."""

    name = "story-saver"
    counted_as = STORIES
    takes = Attempt
    size = 200
    seconds = 0.5

    def __init__(
        self,
        options: SaverOptions,
        now: Callable[[], datetime] = utc_now,
        patience: Patience | None = None,
    ) -> None:
        """Raises ConfigurationError, StorageError."""
        self._now = now
        self._patience = patience or Patience(attempts=OUTAGE_ATTEMPTS)
        self._database = open_feeds(options.database)
        saving = options.saving
        self._saver = Saver(self._database, saving, saving.dice(), options.output)
        self._least, self._most = round(saving.shortest), round(saving.longest)
        self._batch: list[Attempt] = []

    def add(self, payload: Attempt) -> None:
        """Take an attempt into the batch."""
        # A batch of 200 attempts would hold up to 200 documents.
        payload.parts = []
        self._batch.append(payload)

    def flush(self) -> Sequence[Done[NewStory] | Discard | Quarantine]:
        """Save the batch. Raises StorageError: none of it is saved."""
        # If saving fails, the program ends, and the broker delivers the messages again.
        batch, self._batch = self._batch, []
        with metrics.SAVE.timing():
            results = self._save(batch)
        for attempt, saved in zip(batch, results, strict=True):
            self._count(attempt, saved)
        return [self._ending(saved) for saved in results]

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def _ending(self, saved: Saved) -> Done[NewStory] | Discard | Quarantine:
        if saved.status in (STALE, MISSING):
            return Discard(saved.status)
        if saved.status == UNSAVABLE:
            return Quarantine(saved.status, "the program's log says why")
        return Done(saved.stories, saved.status)

    def _count(self, attempt: Attempt, saved: Saved) -> None:
        label = _COUNTED.get(saved.status) or statuses.label(attempt.status, attempt.unchanged)
        if saved.status == STALE:
            metrics.HUNTER["stale"].add()
        if saved.status in (SAVED, *_COUNTED):
            metrics.attempt_ended(label, (self._now() - attempt.started).total_seconds())
        if saved.counts is not None:
            metrics.items(saved.counts.reasons)
        if saved.change is not None:
            before, after, missed = saved.change
            metrics.adjusted(before, after, self._least, self._most)
            metrics.NO_OVERLAP.add(int(missed))

    def _save(self, batch: Sequence[Attempt]) -> list[Saved]:
        return self._patience.retry(
            lambda: self._saver.save(batch, self._now()),
            StorageError,
            warn=lambda error: log.warning("the database failed", why=str(error)),
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_batch_worker(StorySaver, SaverOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
