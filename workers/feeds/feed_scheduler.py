"""Claims the feeds that are due, and queues a poll of each.

Ready feeds are leased in the database, those first that have been ready for longest, and no more
than have room: two at once and one each five seconds of any source, host or registered domain. Any
number of schedulers may run side by side. A feed whose attempt does not come to its end is polled
again when its lease is over. Runs until it is told to stop; with ids of feeds it polls these now,
and ends.

statuses:
  queuing     claimed and queued

examples:
  python -m workers.feeds.feed_scheduler --database-url postgresql://feeds@localhost/feeds
  python -m workers.feeds.feed_scheduler 17 42          these two now, whatever their schedule says
"""

import os
import socket
import sys
from collections.abc import Callable, Generator, Sequence
from datetime import datetime

import structlog

from indexer.errors import ConfigurationError
from indexer.feeds import metrics
from indexer.feeds.attempt import Poll
from indexer.feeds.clock import utc_now
from indexer.feeds.polling.claiming import ClaimOptions, Claims
from indexer.feeds.store import FeedsOptions, open_feeds
from indexer.loops.producing import idle_marks
from indexer.messages.worker import Mark, Producer, Skipped
from indexer.programs.app import ProducerOptions, run_producer
from indexer.system.options import option

log = structlog.get_logger()

AT_ONCE = 500
"""Feeds that are claimed in one statement."""


CLAIMED_ALL_THE_SAME = ("dry_run", "test", "max_stories", "random_sample", "sample_size")
"""Options of producers with which feeds would be claimed, and not all of them queued."""


class SchedulerOptions(FeedsOptions, ProducerOptions, ClaimOptions):
    """What the scheduler can be told."""

    inputs: list[str] = option(
        [], "ids of feeds to poll now; none: all that are due, as they are", positional=True
    )
    ready_limit: int = option(
        2000, "feeds that are under way at once, of all schedulers", "RSS_FETCH_READY_LIMIT"
    )
    look_seconds: float = option(1.0, "seconds between two looks", "FEEDS_LOOK_SECONDS")
    once: bool = option(False, "poll what is due now, and end")


class FeedScheduler(Producer[Poll]):
    """From rows of `feeds` that are ready to polls."""

    name = "feed-scheduler"
    shuffled = False

    def __init__(
        self,
        options: SchedulerOptions,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """Raises ConfigurationError, StorageError."""
        options.check_polite()
        if not (options.look_seconds > 0 and options.ready_limit > 0 and options.lease_seconds > 0):
            raise ConfigurationError(
                "--look-seconds, --ready-limit and --lease-seconds have to be above 0"
            )
        for name in CLAIMED_ALL_THE_SAME:
            value = getattr(options, name)
            if value is not None and value is not False:
                flag = name.replace("_", "-")
                raise ConfigurationError(f"--{flag}: to claim a feed is to change its row")
        self._options = options
        self._ids = [_id(text) for text in options.inputs]
        self._now = now
        self._database = open_feeds(options.database)
        self._claims = Claims(self._database, options, f"{socket.gethostname()}-{os.getpid()}")

    def produce(self) -> Generator[Poll | Skipped | Mark, None, None]:
        """Polls, as feeds become due."""
        if self._ids:
            yield from self._these()
            return
        while True:
            claimed = self._claim()
            yield from claimed
            yield Mark()
            if claimed:
                continue
            if self._options.once:
                return
            yield from idle_marks(self._options.look_seconds)

    def close(self) -> None:
        """Let go of the database."""
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
            log.warning("not polled: unknown, disabled, or under way", feeds=ids)


def _id(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise ConfigurationError(f"{text!r} is not the id of a feed")
    return int(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Be the program."""
    return run_producer(FeedScheduler, SchedulerOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
