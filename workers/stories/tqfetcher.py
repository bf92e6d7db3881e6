"""Fetch the pages of stories, many sites at once, each politely.

A story's link is checked, waits for its site's turn, and is fetched: robots.txt, addresses,
redirects, sizes and times are checked on the way. Statuses:

  success                     the page is in the story
  no-url badurl1 badurl2 bad-host non-news   dropped: the link
  badredir badredir2 maxredir non-news2      dropped: where it redirects to
  robots                                     dropped: robots.txt says no
  http-403 http-404 http-4xx ...             dropped: the answer
  not-text no-html oversized                 dropped: the page
  noconn robots-unreachable http-429 http-5xx ...   tried again later, then dropped
  skipped skipped2                           the same: its site could not be reached just now
  busy                                       put back: its site has enough of us

Example: python -m workers.stories.tqfetcher --contact-url https://example.org/crawler -W 16
"""

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import structlog

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
from indexer.http.fetching import Client, FetchOptions, Response
from indexer.http.politeness import Scoreboard, SiteLimits, Traffic, Visit, record, retry_after
from indexer.http.robots import Robots
from indexer.http.urls.target import Target
from indexer.messages.worker import Worker
from indexer.metrics import timer
from indexer.programs.app import ProgramOptions, WorkerOptions, run_worker
from indexer.stories.fetching.answers import check_answer, is_page
from indexer.stories.fetching.links import LinkOptions, check_url
from indexer.stories.story import HTTPMetadata, RawHTML, Story
from indexer.stories.tools.story_files import StoryFileOptions
from indexer.system.options import option

log = structlog.get_logger("fetcher")

GET_DELAY = timer("get_delay", "finding out when a story's site may be visited")
FETCH = timer("fetch", "fetching a page, with the redirects to it, however it ends")

LINK_STATUS = {"no-url": "no-url", "bad-host": "bad-host", "non-news": "non-news"}
REDIRECT_STATUS = {"bad-host": "bad-host", "non-news": "non-news2"}

MAX_CRAWL_DELAY = 60.0
"""Seconds: longer ones are mistakes more often than wishes."""

DUMP_SECONDS = 60.0


class FetcherOptions(StoryFileOptions, ProgramOptions, WorkerOptions, FetchOptions, LinkOptions):
    """The numbers of stories.md 6.1, and who may be visited how."""

    target_concurrency: int = option(
        4, "stories of a site fetched at once", "FETCHER_TARGET_CONCURRENCY"
    )
    min_interval_seconds: float = option(
        5.0, "least time between two starts at a site", "FETCHER_MIN_INTERVAL_SECONDS"
    )
    initial_interval_seconds: float | None = option(
        None,
        "the same before a site's speed is known; default: the least",
        "FETCHER_INITIAL_INTERVAL_SECONDS",
    )
    throttle_interval_seconds: float = option(
        30.0, "the same after a site answered 429", "FETCHER_THROTTLE_INTERVAL_SECONDS"
    )
    busy_delay_minutes: float = option(
        2.0, "longest wait for a turn; beyond, a story is put back", "FETCHER_BUSY_DELAY_MINUTES"
    )
    conn_retry_minutes: float = option(
        10.0, "how long a site is left alone that can't be reached", "FETCHER_CONN_RETRY_MINUTES"
    )
    run_fraction: float = option(0.25, "share of time a thread computes", "FETCHER_RUN_FRACTION")
    core_fraction: float = option(0.5, "share of the CPUs to use", "FETCHER_CORE_FRACTION")
    dump_slots: Path | None = option(
        None, "write a table of sites to this file each minute", "FETCHER_DUMP_FILE"
    )
    remember_sites: bool = option(
        True, "keep sites' paces in the data directory", "FETCHER_REMEMBER_SITES"
    )
    robots: bool = option(True, "do as robots.txt says (RFC 9309)", "FETCHER_ROBOTS")
    robots_except: list[str] = option(
        [], "domain that gave leave to ignore its robots.txt; repeatable", "FETCHER_ROBOTS_EXCEPT"
    )
    crawl_delay: bool = option(
        True, "keep the Crawl-delay of robots.txt, up to a minute", "FETCHER_CRAWL_DELAY"
    )

    @property
    def default_threads(self) -> int:
        """As many as keep the share of the CPUs busy (stories.md 6.1)."""
        return max(1, int((os.cpu_count() or 1) / self.run_fraction * self.core_fraction))

    def limits(self, prefetch: int) -> SiteLimits:
        """Politeness in numbers, for so many messages taken ahead. Raises ConfigurationError."""
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
            held=max(1, prefetch // 4),
            wait=self.busy_delay_minutes * 60,
            skip=self.conn_retry_minutes * 60,
        )


class Fetcher(Worker[Story]):
    """Fetches a story's page. Thread-safe."""

    name = "fetcher"
    takes = Story

    def __init__(
        self,
        options: FetcherOptions,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """`wall` gives seconds since the epoch. Raises ConfigurationError."""
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
        """Until its site's turn; the checks that need no network come first."""
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
        """Remember the sites for the next time."""
        self._dump_when_due(last=True)
        if self._options.remember_sites:
            try:
                record.save(self._memory, self._board, self._clock(), self._wall())
            except OSError as error:
                log.warning("sites are forgotten", error=str(error))
        self._client.close()

    @property
    def _memory(self) -> Path:
        return self._options.data / (self._options.process_name or self.name) / "sites.json"

    def _begin(self) -> None:
        if not self._options.contact_url and "://" not in self._options.agent:
            log.warning("no --contact-url: sites can't tell whom to ask about us")
        if self._options.remember_sites:
            try:
                record.load(self._memory, self._board, self._clock(), self._wall())
            except InputError as error:
                log.warning("starting without what was known of sites", error=str(error))

    def _link(self, story: Story) -> tuple[str, str]:
        """The link, checked, and its site: the host in lower case (stories.md 6.2)."""
        url = story.rss_entry.link or ""
        try:
            check_url(url, self._options.skip_domains, self._addresses)
        except Discard as discard:
            raise Discard(LINK_STATUS.get(discard.status, "badurl1"), discard.why) from discard
        return url, Target.parse(url).name

    def _check_redirect(self, url: str) -> None:
        """The same checks as for a link (stories.md 6.3)."""
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
            if retry.status == FetchError.status:
                visit.unreachable()
            raise
        if self._options.crawl_delay:
            self._board.slow_down(visit.site, min(delay, MAX_CRAWL_DELAY))

    def _get(self, url: str, visit: Visit) -> Response:
        try:
            return self._client.get(url, check=self._check_redirect, wanted=is_page)
        except BadURL as error:
            raise Discard("badurl2", str(error)) from error
        except AddressRefused as error:
            raise Discard("bad-host", str(error)) from error
        except FetchError as error:
            if error.status != FetchError.status:
                raise Discard(error.status, str(error)) from error
            if not isinstance(error, BadResponse):
                visit.unreachable()
            raise Retry("noconn", str(error), drop=True) from error

    def _dump_when_due(self, *, last: bool = False) -> None:
        """Without a timer: a program that has nothing to do has nothing new to show."""
        path, now = self._options.dump_slots, self._clock()
        if path is None or not (last or now - self._dumped >= DUMP_SECONDS):
            return
        self._dumped = now
        try:
            record.dump(path, self._board, self._limits, now)
        except OSError as error:
            log.warning("no table of sites", error=str(error))


def _learn(visit: Visit, response: Response, now: float) -> None:
    """What an answer means for the next visits of its site."""
    wait = retry_after(response.headers.get("retry-after"), now)
    if response.status == 429 or (response.status == 503 and wait is not None):
        visit.throttled(wait)
    if response.status == 200:
        visit.succeeded(response.seconds)
    else:
        visit.answered(response.seconds)


def main(arguments: Sequence[str] | None = None) -> int:
    """Be the program."""
    return run_worker(Fetcher, FetcherOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
