"""Fetches feeds from many hosts at once, within the limits of each host.

A poll waits for the turn of its source, host and domain. Then the feed is fetched if it has
changed, within limits of time and bytes. Attempts with a document go on to the parser. All others,
failed ones too, go to the story saver, which ends every attempt.

statuses:
  fetched       there is a document to parse
  unchanged     not modified, or the same document as before
  failed        no document: a timeout, HTTP 404 Not Found, a bad URL, ...
  postponed     not fetched: the host asked for a pause, or the poll's turn is over a minute away
  stale         discarded: its lease has expired, so the feed is polled again
  no-database   put back: the database does not answer

example:
  story-indexer program feed-fetcher --contact-url https://example.org/crawler -W 32
"""

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from indexer.database import utc_now
from indexer.errors import Discard, StorageError
from indexer.feeds import metrics
from indexer.feeds.attempt import POSTPONED, WORKING, Attempt, Poll
from indexer.feeds.fetching.answers import concerns_host, retry_at
from indexer.feeds.fetching.fetching import FeedClient, FeedFetchOptions
from indexer.feeds.identity.places import host_keys
from indexer.feeds.polling.paces import BlockedHosts, Paces, PoliteOptions
from indexer.feeds.polling.visits import Visits, query_or_requeue
from indexer.feeds.store import FeedsOptions, open_feeds
from indexer.http.fetching import Response
from indexer.messages.worker import Done, Hold, Worker
from indexer.news.counting import STORIES
from indexer.programs.app import WorkerOptions, run_worker
from indexer.system.loggers import get_logger
from indexer.system.options import group, option
from indexer.system.signals import pause

log = get_logger("feed-fetcher")

THREADS = 16

LONGEST_HOLD = 60.0
"""Seconds that a poll may wait for its turn in this program; a longer wait ends the attempt."""

TURN_LASTS = timedelta(seconds=1)
"""A poll that begins later than this after its turn needs a new turn."""

REFRESH_SECONDS = 1.0
"""The age in seconds at which blocked hosts are read again, if no turns are taken."""

FETCHED, UNCHANGED, FAILED, STALE = "fetched", "unchanged", "failed", "stale"


class FeedFetcherOptions(FeedsOptions, WorkerOptions, PoliteOptions):
    """Options of the feed fetcher."""

    fetching: FeedFetchOptions = group(FeedFetchOptions)
    threads: int | None = option(
        None,
        f"feeds fetched at once; default {THREADS}",
        "RSS_FETCH_WORKERS",
        "WORKER_THREADS",
        short="W",
        also="worker-threads",
    )


class FeedFetcher(Worker[Poll, Attempt]):
    """Makes attempts of polls. Thread-safe."""

    name = "feed-fetcher"
    counted_as = STORIES
    takes = Poll
    threads = THREADS

    def __init__(
        self,
        options: FeedFetcherOptions,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = utc_now,
        sleep: Callable[[float], bool] = pause,
    ) -> None:
        """`sleep` returns whether it was cut short. Raises ConfigurationError, StorageError."""
        options.check_polite()
        if not options.fetching.contact_url and "://" not in options.fetching.agent:
            log.warning("no --contact-url: sites can't see whom to contact about our requests")
        # Polls that wait for their turns are held here, besides those that are being fetched.
        self.prefetch = options.prefetch or 4 * (options.threads or self.threads)
        self._now = now
        self._sleep = sleep
        self._client = FeedClient(options.fetching, clock, now)
        self._database = open_feeds(options.database)
        self._paces = Paces(self._database, options.feed_secs)
        seconds = 0.0 if options.feed_secs else REFRESH_SECONDS
        self._blocks = BlockedHosts(self._database, self._paces, seconds, clock)
        self._threads = metrics.Threads(options.threads or self.threads)

    def hold(self, poll: Poll) -> Hold[Attempt]:
        """Reserve the next turn of the poll's source, host and domain, and wait for it."""
        now = self._now()
        _check_lease(poll, now)
        longest = min(LONGEST_HOLD, (poll.expires - now).total_seconds())
        wait = query_or_requeue(lambda: self._paces.reserve(poll.keys, now, longest))
        turn = now + timedelta(seconds=wait)
        if wait <= LONGEST_HOLD and turn < poll.expires:
            return Hold(wait, lambda: self._fetch(poll, turn))
        # Too far away: the attempt is postponed at once, without fetching.
        return Hold(0.0, lambda: _postponed(poll, now, turn))

    def process(self, poll: Poll) -> Done[Attempt]:
        """Fetch the feed without waiting for its turn. Returns the attempt."""
        return self._fetch(poll, self._now())

    def close(self) -> None:
        """Close the connections and the database."""
        self._client.close()
        self._database.close()

    def _fetch(self, poll: Poll, turn: datetime) -> Done[Attempt]:
        """The attempt, with the document if there is one. Raises Discard, Requeue."""
        now = self._now()
        _check_lease(poll, now)
        visits = Visits(poll, self._paces, self._blocks, self._now, self._sleep)
        until = self._not_before(poll, visits, turn, now)
        if until is not None:
            return _postponed(poll, now, until)
        metrics.attempt_began(poll.due, now)
        with self._threads.working():
            attempt = self._client.fetch(poll, visits, self._seen)
        self._heed_redirect(attempt)
        return Done([attempt], _ending(attempt))

    def _not_before(
        self, poll: Poll, visits: Visits, turn: datetime, now: datetime
    ) -> datetime | None:
        """Return the time before which the attempt may not begin, or None if it may."""
        if now - turn > TURN_LASTS:
            # All threads were busy, and other polls have had the next turns meanwhile.
            return visits.begin_late()
        return query_or_requeue(lambda: self._blocks.until(poll.keys, now))

    def _seen(self, _sent: Mapping[str, str], response: Response) -> None:
        """Block a host whose response has Retry-After, also for the rest of this attempt."""
        self._heed(response.status, retry_at(response, self._now()), response.url)

    def _heed_redirect(self, attempt: Attempt) -> None:
        """Block the feed's own host, too, if a redirect led to a response with Retry-After."""
        if attempt.answer is not None and attempt.answer.hops:
            self._heed(attempt.answer.code, attempt.answer.retry_at, attempt.poll.url)

    def _heed(self, code: int, until: datetime | None, url: str) -> None:
        """Block a host for all fetchers if its response asks for that (feeds.md 6.3)."""
        if until is None or not concerns_host(code):
            return
        hosts = host_keys(url)
        try:
            self._blocks.block(hosts, until)
        except StorageError as error:
            # The result of the fetch is not given up for it: this feed is polled later anyway.
            log.warning(
                "the hosts can't be blocked for other fetchers", hosts=hosts, why=str(error)
            )


def _check_lease(poll: Poll, now: datetime) -> None:
    if now >= poll.expires:
        raise Discard(STALE, f"its lease expired at {poll.expires}")


def _postponed(poll: Poll, now: datetime, until: datetime) -> Done[Attempt]:
    attempt = Attempt(poll=poll, started=now, status=POSTPONED, until=until)
    return Done([attempt], POSTPONED)


def _ending(attempt: Attempt) -> str:
    if attempt.status == POSTPONED:
        return POSTPONED
    if attempt.status != WORKING:
        return FAILED
    return UNCHANGED if attempt.unchanged else FETCHED


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_worker(FeedFetcher, FeedFetcherOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
