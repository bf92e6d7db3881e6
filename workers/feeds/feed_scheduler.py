"""Claims the feeds that are due, and queues a poll of each.

A claim is a lease in the database. The feeds that have been due for the longest time come first,
within the limits of each source, host and registered domain: two at once, and one each five
seconds. Several schedulers may run at once. If an attempt does not end, its feed is polled again
when the lease expires. The program runs until it is stopped; with ids of feeds it queues polls of
these and ends.

statuses:
  queuing     claimed and queued

examples:
  story-indexer program feed-scheduler --database-url postgresql://feeds@localhost/feeds
  story-indexer program feed-scheduler 17 42            these two now, whatever their schedule
"""

import os
import socket
import sys
from collections.abc import Callable, Generator, Sequence
from datetime import datetime

from indexer.database import utc_now
from indexer.errors import ConfigurationError
from indexer.feeds import metrics
from indexer.feeds.attempt import Poll
from indexer.feeds.polling.claiming import ClaimOptions, Claims
from indexer.feeds.store import FeedsOptions, open_feeds
from indexer.loops.producing import idle_marks
from indexer.messages.worker import Mark, Producer, Skipped
from indexer.news.counting import STORIES
from indexer.programs.app import ProducerOptions, run_producer
from indexer.system.loggers import get_logger
from indexer.system.options import group, option

log = get_logger()

AT_ONCE = 500
"""Most feeds claimed in one statement."""

REFUSED = ("dry_run", "test", "max_messages", "random_sample", "sample_size")
"""Options of producers that drop messages: a feed whose poll is dropped would stay leased."""


class SchedulerOptions(FeedsOptions, ProducerOptions):
    """Options of the scheduler."""

    claiming: ClaimOptions = group(ClaimOptions)
    inputs: list[str] = option(
        [], "ids of feeds to poll now; none: all feeds, as they become due", positional=True
    )
    ready_limit: int = option(
        2000, "most feeds claimed at once, by all schedulers together", "RSS_FETCH_READY_LIMIT"
    )
    look_seconds: float = option(1.0, "seconds between two queries", "FEEDS_LOOK_SECONDS")
    once: bool = option(False, "poll the feeds that are due now, and end")


class FeedScheduler(Producer[Poll]):
    """Makes polls of the rows of `feeds` that are due."""

    name = "feed-scheduler"
    counted_as = STORIES
    shuffled = False

    def __init__(
        self,
        options: SchedulerOptions,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """Raises ConfigurationError, StorageError."""
        options.claiming.check_polite()
        if min(options.look_seconds, options.ready_limit, options.claiming.lease_seconds) <= 0:
            raise ConfigurationError(
                "--look-seconds, --ready-limit and --lease-seconds have to be above 0"
            )
        for name in REFUSED:
            # 0 counts as given: `in (None, False)` would take it for False.
            value = getattr(options, name)
            if value is not None and value is not False:
                flag = name.replace("_", "-")
                raise ConfigurationError(f"--{flag}: a scheduler changes the rows of feeds")
        self._options = options
        self._ids = [_id(text) for text in options.inputs]
        self._now = now
        self._database = open_feeds(options.database)
        owner = f"{socket.gethostname()}-{os.getpid()}"
        self._claims = Claims(self._database, options.claiming, owner)

    def produce(self) -> Generator[Poll | Skipped | Mark, None, None]:
        """Yield polls as feeds become due."""
        if self._ids:
            yield from self._these()
            return
        while True:
            claimed = self._claim()
            yield from claimed
            # The mark publishes the polls before the next query, which may find none for long.
            yield Mark()
            if claimed:
                continue
            if self._options.once:
                return
            yield from idle_marks(self._options.look_seconds)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def _claim(self) -> list[Poll]:
        now = self._now()
        under_way = self._claims.under_way(now)
        claimed = self._claims.claim(now, min(self._options.ready_limit - under_way, AT_ONCE))
        metrics.looked(len(claimed), waiting=self._claims.crowded > 0)
        metrics.ON_HAND.set(under_way + len(claimed))
        metrics.BLOCKED.set(self._claims.crowded)
        return claimed

    def _these(self) -> Generator[Poll | Skipped | Mark, None, None]:
        claimed = self._claims.claim_these(self._ids, self._now())
        yield from claimed
        if missing := set(self._ids) - {poll.feed_id for poll in claimed}:
            ids = ", ".join(map(str, sorted(missing)))
            log.warning("not polled: unknown, disabled, or already being polled", feeds=ids)


def _id(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise ConfigurationError(f"{text!r} is not the id of a feed")
    return int(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_producer(FeedScheduler, SchedulerOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
