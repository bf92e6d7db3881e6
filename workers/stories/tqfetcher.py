"""Fetches the pages of stories, from many sites at once, and from each site politely.

The program checks the link, waits for the turn of the site, and fetches the page, with limits on
addresses, redirects, sizes and times, and with respect for robots.txt.

statuses:
  success                                    the page is in the story
  no-url badurl1 badurl2 bad-host non-news   discarded: because of the link
  badredir badredir2 maxredir non-news2      discarded: because of a redirect
  robots                                     discarded: robots.txt disallows the link
  http-403 http-404 http-4xx ...             discarded: because of the answer
  not-text no-html oversized                 discarded: because of the page
  noconn robots-unreachable http-429 http-5xx ...   retried later, then discarded
  skipped skipped2                           retried later: the site was unreachable just now
  busy                                       requeued: the next turn of the site is too far off

example:
  story-indexer program tqfetcher --contact-url https://example.org/crawler -W 16
"""

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from indexer.errors import (
    AddressRefused,
    BadResponse,
    BadURL,
    ConfigurationError,
    Discard,
    FetchError,
    InputError,
    Retry,
)
from indexer.http.fetching import FetchOptions, Request, Response
from indexer.http.fetching.client import Client
from indexer.http.politeness import Scoreboard, SiteLimits, Traffic, Visit, record, retry_after
from indexer.http.robots import Robots
from indexer.http.urls.target import Target
from indexer.messages.worker import Worker
from indexer.metrics import timer
from indexer.news.counting import STORIES
from indexer.programs.app import ProgramOptions, WorkerOptions, run_worker
from indexer.stories.fetching.answers import check_answer, is_page
from indexer.stories.fetching.links import LinkOptions, check_url
from indexer.stories.story import HTTPMetadata, RawHTML, Story
from indexer.stories.tools.story_file_options import StoryFileOptions
from indexer.system.loggers import get_logger
from indexer.system.options import option

log = get_logger("fetcher")

GET_DELAY = timer("get_delay", "finding the next turn of a story's site")
FETCH = timer("fetch", "fetching a page, including redirects and failures")

LINK_STATUS = {"no-url": "no-url", "bad-host": "bad-host", "non-news": "non-news"}
REDIRECT_STATUS = {"bad-host": "bad-host", "non-news": "non-news2"}

# Seconds. A longer Crawl-delay is more often a mistake than a wish.
MAX_CRAWL_DELAY = 60.0

DUMP_SECONDS = 60.0


class FetcherOptions(StoryFileOptions, ProgramOptions, WorkerOptions, FetchOptions, LinkOptions):
    """Options of the fetcher; the numbers are those of stories.md 6.1."""

    target_concurrency: int = option(
        4, "most requests to a site at once", "FETCHER_TARGET_CONCURRENCY"
    )
    min_interval_seconds: float = option(
        5.0, "least seconds between two requests to a site", "FETCHER_MIN_INTERVAL_SECONDS"
    )
    initial_interval_seconds: float | None = option(
        None,
        "seconds between requests before a site's speed is known; default: the least",
        "FETCHER_INITIAL_INTERVAL_SECONDS",
    )
    throttle_interval_seconds: float = option(
        30.0,
        "seconds between requests after a site answered 429",
        "FETCHER_THROTTLE_INTERVAL_SECONDS",
    )
    busy_delay_minutes: float = option(
        2.0, "longest wait for a turn; then a story is requeued", "FETCHER_BUSY_DELAY_MINUTES"
    )
    conn_retry_minutes: float = option(
        10.0, "minutes without requests to an unreachable site", "FETCHER_CONN_RETRY_MINUTES"
    )
    run_fraction: float = option(
        0.25, "share of the time in which a thread computes", "FETCHER_RUN_FRACTION"
    )
    core_fraction: float = option(0.5, "share of the CPUs to use", "FETCHER_CORE_FRACTION")
    dump_slots: Path | None = option(
        None, "file for a table of sites, written every minute", "FETCHER_DUMP_FILE"
    )
    remember_sites: bool = option(
        True, "keep the request intervals of sites in the data directory", "FETCHER_REMEMBER_SITES"
    )
    robots: bool = option(True, "obey robots.txt (RFC 9309)", "FETCHER_ROBOTS")
    robots_except: list[str] = option(
        [], "domain that permits to ignore its robots.txt; repeatable", "FETCHER_ROBOTS_EXCEPT"
    )
    crawl_delay: bool = option(
        True, "obey the Crawl-delay of robots.txt, up to a minute", "FETCHER_CRAWL_DELAY"
    )

    @property
    def default_threads(self) -> int:
        """The number of threads that keeps the share of the CPUs busy (stories.md 6.1)."""
        return max(1, int((os.cpu_count() or 1) / self.run_fraction * self.core_fraction))

    def limits(self, prefetch: int) -> SiteLimits:
        """The limits for each site. Raises ConfigurationError."""
        # A retry comes after an hour: then the site must not count as unreachable any more.
        if not 0 < self.conn_retry_minutes < 60:
            raise ConfigurationError("--conn-retry-minutes has to be above 0 and below 60")
        if self.target_concurrency < 1:
            raise ConfigurationError("--target-concurrency has to be at least 1")
        initial = self.initial_interval_seconds
        return SiteLimits(
            concurrency=self.target_concurrency,
            min_interval=self.min_interval_seconds,
            initial_interval=self.min_interval_seconds if initial is None else initial,
            throttle_interval=self.throttle_interval_seconds,
            # One slow site must not fill the prefetch with stories that wait for it.
            held=max(1, prefetch // 4),
            wait=self.busy_delay_minutes * 60,
            skip=self.conn_retry_minutes * 60,
        )


class Fetcher(Worker[Story, Story]):
    """Fetches the pages of stories. Thread-safe."""

    name = "fetcher"
    counted_as = STORIES
    takes = Story

    def __init__(
        self,
        options: FetcherOptions,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """`wall` returns the seconds since the epoch. Raises ConfigurationError."""
        if options.run_fraction <= 0 or options.core_fraction <= 0:
            raise ConfigurationError("--run-fraction and --core-fraction have to be above 0")
        self.threads = options.threads or options.default_threads
        self.prefetch = options.prefetch or 2 * self.threads
        self.requeue_delay = options.busy_delay_minutes * 60
        self._options = options
        self._clock = clock
        self._wall = wall
        self._limits = options.limits(self.prefetch)
        self._addresses = options.addresses
        self._client = Client(options, clock)
        self._board = Scoreboard(self._limits, clock)
        self._traffic = Traffic(self.prefetch, self._board.known, clock)
        self._robots = Robots(
            self._client,
            options.product,
            options.robots_except,
            self._board.charge,
            self._limits.skip,
            clock,
        )
        self._dumped = clock()
        self._begin()

    def hold(self, story: Story) -> float:
        """The seconds until the turn of the story's site. Raises Discard, Retry, Requeue."""
        # Checks without network come first: a story that fails them needs no turn.
        url, site = self._link(story)
        if self._options.robots:
            self._robots.check_known(url)
        with GET_DELAY.timing():
            wait = self._board.reserve(site)
        self._traffic.arrived(wait)
        self._dump_when_due()
        return wait

    def process(self, story: Story) -> Story:
        """The story with its page."""
        url, site = self._link(story)
        with self._traffic.fetching(site), self._board.visit(site) as visit:
            self._heed_robots(url, visit)
            with FETCH.timing():
                response = self._get(url, visit)
            _learn(visit, response, self._wall())
        check_answer(response, self._wall())
        story.http_metadata = HTTPMetadata(
            response_code=response.status,
            fetch_timestamp=self._wall(),
            final_url=response.url,
            encoding=response.charset,
        )
        story.raw_html = RawHTML(html=response.body)
        return story

    def close(self) -> None:
        """Close the connections, and store the request intervals of sites for the next start."""
        self._client.close()
        self._dump_when_due(last=True)
        if self._options.remember_sites:
            try:
                record.save(self._memory, self._board, self._clock(), self._wall())
            except OSError as error:
                log.warning("can't store the intervals of sites", error=str(error))

    @property
    def _memory(self) -> Path:
        return self._options.data / (self._options.process_name or self.name) / "sites.json"

    def _begin(self) -> None:
        if not self._options.contact_url and "://" not in self._options.agent:
            log.warning("no --contact-url: sites can't find out whom to contact")
        if self._options.remember_sites:
            try:
                record.load(self._memory, self._board, self._clock(), self._wall())
            except InputError as error:
                log.warning("starting without the stored intervals of sites", error=str(error))

    def _link(self, story: Story) -> tuple[str, str]:
        """The link, checked, and its site, the host in lower case (stories.md 6.2)."""
        url = story.rss_entry.link or ""
        try:
            check_url(url, self._options.skip_domains, self._addresses)
        except Discard as discard:
            raise Discard(LINK_STATUS.get(discard.status, "badurl1"), discard.why) from discard
        return url, Target.parse(url).name

    def _check_redirect(self, url: str) -> None:
        """Check the target of a redirect like a link (stories.md 6.3). Raises Discard, Retry."""
        try:
            check_url(url, self._options.skip_domains, self._addresses)
        except Discard as discard:
            status = REDIRECT_STATUS.get(discard.status, "badredir2")
            raise Discard(status, f"redirect to {discard.why}") from discard
        if self._options.robots:
            self._robots.check(url)

    def _heed_robots(self, url: str, visit: Visit) -> None:
        if not self._options.robots:
            return
        try:
            delay = self._robots.check(url) or 0.0
        except Retry as retry:
            # The request for robots.txt failed like any other: the site is unreachable.
            if retry.status == FetchError.status:
                visit.unreachable()
            raise
        if self._options.crawl_delay:
            self._board.slow_down(visit.site, min(delay, MAX_CRAWL_DELAY))

    def _get(self, url: str, visit: Visit) -> Response:
        try:
            request = Request(url=url, check=self._check_redirect, wanted=is_page)
            return self._client.ask(request)
        except BadURL as error:
            raise Discard("badurl2", str(error)) from error
        except AddressRefused as error:
            raise Discard("bad-host", str(error)) from error
        except FetchError as error:
            if error.status != FetchError.status:
                raise Discard(error.status, str(error)) from error
            # A site that sends a broken response can be reached.
            if not isinstance(error, BadResponse):
                visit.unreachable()
            raise Retry("noconn", str(error), drop=True) from error

    def _dump_when_due(self, *, last: bool = False) -> None:
        # Called for each story, without a timer: a program without stories has nothing new to show.
        path, now = self._options.dump_slots, self._clock()
        if path is None or not (last or now - self._dumped >= DUMP_SECONDS):
            return
        self._dumped = now
        try:
            record.dump(path, self._board, self._limits, now)
        except OSError as error:
            log.warning("can't write the table of sites", error=str(error))


def _learn(visit: Visit, response: Response, now: float) -> None:
    """Adapt the interval of a site to its answer."""
    # Without Retry-After, a 503 is a failure of one page more often than of a busy site.
    wait = retry_after(response.headers.get("retry-after"), now)
    if response.status == 429 or (response.status == 503 and wait is not None):
        visit.throttled(wait)
    if response.status == 200:
        visit.succeeded(response.seconds)
    else:
        visit.answered(response.seconds)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_worker(Fetcher, FetcherOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
