"""Count the outcomes of stories by day, feed, source, domain, step and status.

Programs with BREADCRUMB_EXCHANGE send a breadcrumb for each outcome to that exchange; this program
counts them in the table `crumb` of its database. Redelivered messages are not counted again. If the
database does not answer for some minutes, the program ends with status 1; nothing is lost.

statuses:
  vers-ok    counted
  dups       discarded: counted before
  no-vers    discarded: the message has no version
  too-new    discarded: the message has a newer version, so upgrade this program
  empty      discarded: the message has no crumbs

example:
  story-indexer program pipeview --database-url postgresql://pipeview@localhost/pipeview
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from typing import Never, TypeAlias

from indexer.errors import Discard, StorageError
from indexer.messages.worker import BatchWorker, Done
from indexer.metrics import counter
from indexer.news.counting import STORIES
from indexer.pipeview.crumbs import Crumb, Crumbs
from indexer.pipeview.options import PipeviewOptions
from indexer.pipeview.store import CrumbStore, first_day, utc_today
from indexer.programs.app import run_batch_worker
from indexer.system.loggers import get_logger
from indexer.system.options import option
from indexer.system.patience import Patience

MAX_CRUMBS = 200_000
"""The approximate number of crumbs of a batch, which are in memory."""

OUTAGE_ATTEMPTS = 16
"""With the pauses between them: about five minutes."""

COUNTED = "vers-ok"

MOST_APPS, OTHER = 50, "other"
"""The number of steps with a series of their own: messages may contain any number of names."""

MSGS = counter("msgs", "breadcrumb messages, by status", "status")
CRUMBS = counter("crumbs", "counted breadcrumbs, by step", "app")
BAD = counter("lines.bad", "lines of breadcrumb messages that are not breadcrumbs")
STALE = counter("lines.stale", "breadcrumbs that are too old or in the future")

log = get_logger()

Ending: TypeAlias = Done[Never] | Discard


class CollectorOptions(PipeviewOptions):
    """Options of the collector."""

    breadcrumb_exchange: str = option("", "must be empty: pipeview would count its own breadcrumbs")


class Collector(BatchWorker[Crumbs, Never]):
    """Counts breadcrumbs in batches."""

    name = "pipeview"
    counted_as = STORIES
    takes = Crumbs
    size = 200
    seconds = 10.0

    def __init__(
        self,
        options: CollectorOptions,
        today: Callable[[], date] = utc_today,
        patience: Patience | None = None,
    ) -> None:
        self._today = today
        self._days = options.days
        self._patience = patience or Patience(attempts=OUTAGE_ATTEMPTS)
        self._store = CrumbStore.open(options.database)
        self._ids: list[str] = []
        self._counts: dict[str, Counter[Crumb]] = {}
        self._crumbs = 0
        self._apps: set[str] = set()

    @property
    def full(self) -> bool:
        """Whether the batch has reached its maximal size."""
        return self._crumbs >= MAX_CRUMBS

    def add(self, payload: Crumbs) -> None:
        """Add a message to the batch. Raises Discard."""
        BAD.add(payload.bad)
        try:
            _check(payload)
        except Discard as discard:
            MSGS.add(status=discard.status)
            raise
        MSGS.add(status=COUNTED)
        # The pruner would soon delete older crumbs, and wrong clocks would create days for ever.
        fresh = [crumb for crumb in payload.crumbs if self._is_fresh(crumb)]
        STALE.add(len(payload.crumbs) - len(fresh))
        self._ids.append(payload.id)
        self._counts[payload.id] = Counter(fresh)
        self._crumbs += len(fresh)

    def flush(self) -> Sequence[Ending]:
        """Count the batch. Raises StorageError; a redelivered batch is never counted twice."""
        ids, counts = self._ids, self._counts
        # Emptied first: after an error the messages are redelivered and added again.
        self._ids, self._counts, self._crumbs = [], {}, 0
        counted = self._patience.retry(
            lambda: self._store.add(counts, self._today()),
            StorageError,
            warn=lambda error: log.warning("the database failed", why=str(error)),
        )
        for app, number in _by_app(counts[id] for id in counted).items():
            CRUMBS.add(number, app=self._label(app))
        return [_ending(id, counted) for id in ids]

    def close(self) -> None:
        """Close the database."""
        self._store.close()

    def _label(self, app: str) -> str:
        if len(self._apps) < MOST_APPS:
            self._apps.add(app)
        return app if app in self._apps else OTHER

    def _is_fresh(self, crumb: Crumb) -> bool:
        """Return whether the crumb's day is kept."""
        # One day of tolerance, as the sender's clock may be ahead.
        today = self._today()
        return first_day(today, self._days) <= crumb.date <= today + timedelta(days=1)


def _check(message: Crumbs) -> None:
    """Raise Discard for a message that can't be counted."""
    if message.too_new:
        raise Discard("too-new")
    if not message.crumbs and not message.bad:
        raise Discard("empty")
    if not message.version:
        raise Discard("no-vers")


def _by_app(counts: Iterable[Counter[Crumb]]) -> Counter[str]:
    """Return the number of crumbs of each step."""
    total: Counter[str] = Counter()
    for each in counts:
        for crumb, number in each.items():
            total[crumb.app] += number
    return total


def _ending(id: str, counted: set[str]) -> Ending:
    """Return the outcome of a message, and remove its id from `counted`."""
    # If a batch contains a message twice, only the first one was counted.
    if id not in counted:
        return Discard("dups")
    counted.remove(id)
    return Done((), COUNTED)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; return its exit status."""
    return run_batch_worker(Collector, CollectorOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
