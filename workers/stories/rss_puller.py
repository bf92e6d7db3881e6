"""Queues the stories that an rss-fetcher has found since the last run.

Asks GET <url>/api/rss_entries/<id>?_limit=<n> for page after page, until one is not full: start it
once an hour, or with --watch. The file last-rss-entry says how far it is: each entry is queued
once, and after a crash one page of them again at most. While the rss-fetcher is away or busy it is
asked again, for a minute or for as long as it says.

statuses:
  queuing     queued
  parsed      would be queued (--dry-run)
  dropped     left out of the sample
  bad-id      an entry without an id, or with one that was there before
  no-url bad-url bad-scheme no-host bad-host non-news    no link to a story

examples:
  RSS_FETCHER_URL=https://rss.example RSS_FETCHER_USER=me RSS_FETCHER_PASS_FILE=/run/secrets/rss \\
      python -m workers.stories.rss_puller
  python -m workers.stories.rss_puller --dry-run --max-stories 10
"""

import sys
from collections.abc import Callable, Generator, Iterator, Sequence

import structlog

from indexer.errors import ConfigurationError, Discard, Stopped
from indexer.http.json_service import Unavailable
from indexer.http.urls.addresses import AddressPolicy
from indexer.loops.producing import idle_marks
from indexer.messages.worker import Mark, Producer, Skipped
from indexer.metrics import gauge
from indexer.programs.app import ProducerOptions, ProgramOptions, run_producer
from indexer.stories.fetching.links import LinkOptions, check_url
from indexer.stories.queuers.bookmark import Bookmark
from indexer.stories.queuers.rss_entries import EntryRow, check_order, usable
from indexer.stories.queuers.rss_fetcher import RSSFetcher, RSSFetcherOptions
from indexer.stories.story import Story
from indexer.stories.tools.story_files import StoryFileOptions
from indexer.system.options import option

log = structlog.get_logger()

BAD_ID = "bad-id"
"""The status of an entry that can't be told from others (stories.md 2.5)."""

PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds before each further try, when the rss-fetcher is away or busy."""

PAGE_SIZE = 2500
"""Entries in a page, where nothing else is said."""

LONGEST_PAUSE = 120.0
"""Seconds that it may ask for (Retry-After)."""

MAX_ID = gauge(
    "stories.max-id", "the last story: of those that a puller has queued, or in a database"
)


class RSSPullerOptions(
    StoryFileOptions, ProgramOptions, ProducerOptions, RSSFetcherOptions, LinkOptions
):
    """What the rss-puller can be told."""

    rss_fetcher_batch_size: int | None = option(
        None, "entries in a page; default: the shuffle batch size", "RSS_FETCHER_BATCH_SIZE"
    )
    first_id: int = option(0, "where to start while there is no last-rss-entry")
    watch: float | None = option(None, "after the last page ask again, each so many seconds")
    page_pause: float = option(0.5, "seconds between two pages")
    allow_address: list[str] = option(
        [], "network such as 10.1.0.0/16 with stories; repeatable", "FETCHER_ALLOW_ADDRESS"
    )
    allow_private: bool = option(
        False, "private and loopback addresses have stories too", "FETCHER_ALLOW_PRIVATE"
    )


class RSSPuller(Producer[Story]):
    """From entries of an rss-fetcher to stories that are to be fetched."""

    name = "rss-puller"

    def __init__(
        self,
        options: RSSPullerOptions,
        pauses: Sequence[float] = PAUSES,
        wait: Callable[[float], Iterator[Mark]] = idle_marks,
    ) -> None:
        """`wait` is asked for all waiting. Raises ConfigurationError."""
        _check(options)
        self._given = options
        self._pauses = pauses
        self._wait = wait
        self._addresses = AddressPolicy(options.allow_address, private=options.allow_private)
        self._fetcher = RSSFetcher(options)
        self._size = _page_size(options)
        directory = options.data / (options.process_name or self.name)
        self._bookmark = Bookmark(directory, kept=_is_kept(options))

    def produce(self) -> Generator[Story | Skipped | Mark, None, None]:
        """The entries after the bookmark. See `Producer`."""
        with self._bookmark.held():
            if not self._given.force:
                self._bookmark.read()
            self._tell()
            if self._given.test:
                print(self._fetcher.url(self._next, self._size))
                return
            yield from self._pass()
            while self._given.watch is not None:
                yield from self._wait(self._given.watch)
                yield from self._pass()

    @property
    def _next(self) -> int:
        last = self._bookmark.last
        return self._given.first_id if last is None else last + 1

    def _pass(self) -> Generator[Story | Skipped | Mark, None, None]:
        """All that there is now."""
        while True:
            rows = usable((yield from self._page()), self._bookmark.last)
            is_full = len(rows) >= self._size
            log.info("page", first=self._next, entries=len(rows))
            if is_full:
                check_order(rows, self._next)
            yield from self._queue(rows)
            if not is_full:
                return
            yield from self._wait(self._given.page_pause)

    def _page(self) -> Generator[Mark, None, list[EntryRow]]:
        """The next page, asked for again while the server is away or busy."""
        for seconds in self._pauses:
            try:
                return self._fetcher.page(self._next, self._size)
            except Unavailable as error:
                longer = max(seconds, min(error.wait or 0.0, LONGEST_PAUSE))
                log.warning("asked again soon", why=str(error), seconds=longer)
            yield from self._wait(longer)
        return self._fetcher.page(self._next, self._size)

    def _queue(self, rows: Sequence[EntryRow]) -> Generator[Story | Skipped | Mark, None, None]:
        """The stories of a page; then, or when stopped, how far they are is written down."""
        reached: EntryRow | None = None
        last = self._next - 1
        try:
            # Those without an id come first: the last one is to be remembered.
            for row in sorted(rows, key=lambda row: -1 if row.id is None else row.id):
                if row.id is None or row.id <= last:
                    yield self._repeated(row)
                    continue
                reached, last = row, row.id
                yield self._story(row)
            yield Mark()
        except Stopped:
            self._save(reached)
            raise
        self._save(reached)

    def _repeated(self, row: EntryRow) -> Skipped:
        """What is said of an entry that can't be told from others."""
        why = "no usable id" if row.id is None else f"{row.id} was there before"
        return _skipped(row.story(self._fetcher.server), BAD_ID, why)

    def _story(self, row: EntryRow) -> Story | Skipped:
        """The story of an entry, or why it isn't one."""
        story = row.story(self._fetcher.server)
        try:
            check_url(story.rss_entry.link, self._given.skip_domains, self._addresses)
        except Discard as error:
            return _skipped(story, error.status, error.why)
        return story

    def _save(self, row: EntryRow | None) -> None:
        if row is not None:
            self._bookmark.save(row)
            self._tell()

    def _tell(self) -> None:
        """Say where it is, if that is for good."""
        if self._bookmark.last is not None and _is_kept(self._given):
            MAX_ID.set(self._bookmark.last)


def _skipped(story: Story, status: str, why: str) -> Skipped:
    return Skipped(status, story.label or story.rss_entry.via or "", why, story.origin)


def _check(options: RSSPullerOptions) -> None:
    """Raises ConfigurationError for what can't work."""
    if options.inputs:
        raise ConfigurationError("the rss-puller reads no inputs: only what --rss-fetcher-url has")
    if _page_size(options) < 1:
        raise ConfigurationError("--rss-fetcher-batch-size: at least 1")
    if options.first_id < 0:
        raise ConfigurationError("--first-id: at least 0")
    if options.watch is not None and options.watch <= 0:
        raise ConfigurationError("--watch: more than 0 seconds")


def _page_size(options: RSSPullerOptions) -> int:
    """How many entries are asked for; 1 or less shuffles none (stories.md 3.8)."""
    if options.rss_fetcher_batch_size is not None:
        return options.rss_fetcher_batch_size
    return options.shuffle_batch_size if options.shuffle_batch_size > 1 else PAGE_SIZE


def _is_kept(options: RSSPullerOptions) -> bool:
    """Whether the bookmark is moved: not for what queues only a part, or nothing new."""
    sampled = (options.max_stories, options.random_sample, options.sample_size)
    return not (options.dry_run or options.force or options.test) and sampled == (None,) * 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Be the program. Returns the exit status."""
    return run_producer(RSSPuller, RSSPullerOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
