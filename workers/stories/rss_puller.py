"""Queues the stories that an rss-fetcher has found since the last run.

Requests GET <url>/api/rss_entries/<id>?_limit=<n> for page after page, until one is not full: start
the program once an hour, or with --watch. The file last-rss-entry has the last entry that is in the
queue: each entry is queued once, but after a crash at most one page is queued again. A server that
does not have that entry, nor a later one, is an error: its database was replaced. While the
rss-fetcher is away or busy, the program tries again, for a minute or as long as the server asks.

statuses:
  queuing     queued
  parsed      would be queued (--dry-run)
  dropped     left out of the sample
  bad-id      an entry without an id, or with the id of an earlier one
  no-url bad-url bad-scheme no-host bad-host non-news    the link can't be that of a story

examples:
  RSS_FETCHER_URL=https://rss.example RSS_FETCHER_USER=me RSS_FETCHER_PASS_FILE=/run/secrets/rss \\
      story-indexer program rss-puller
  story-indexer program rss-puller --dry-run --max-messages 10
"""

import sys
from collections.abc import Callable, Generator, Iterator, Sequence

from indexer.errors import ConfigurationError, Stopped
from indexer.http.json_service import Unavailable
from indexer.http.urls.addresses import AddressPolicy
from indexer.loops.producing import idle_marks
from indexer.messages.worker import Mark, Producer, Skipped
from indexer.metrics import gauge
from indexer.news.counting import STORIES
from indexer.programs.app import ProducerOptions, ProgramOptions, run_producer
from indexer.stories.fetching.links import LinkOptions, url_refusal
from indexer.stories.queuers.bookmark import Bookmark
from indexer.stories.queuers.rss_fetcher import (
    EntryRow,
    RSSFetcher,
    RSSFetcherOptions,
    check_order,
    usable,
)
from indexer.stories.story import Story
from indexer.stories.tools.story_file_options import StoryFileOptions
from indexer.system.loggers import get_logger
from indexer.system.options import option

log = get_logger()

BAD_ID = "bad-id"
"""The status of an entry whose id is missing or repeated (stories.md 2.5)."""

PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds before each further attempt while the rss-fetcher is away or busy."""

PAGE_SIZE = 2500
"""Entries in a page, by default."""

LONGEST_PAUSE = 120.0
"""Most seconds that Retry-After may ask for."""

MAX_ID = gauge("stories.max-id", "id of the last story: queued by a puller, or in a database")


class RSSPullerOptions(
    StoryFileOptions, ProgramOptions, ProducerOptions, RSSFetcherOptions, LinkOptions
):
    """Options of the rss-puller."""

    rss_fetcher_batch_size: int | None = option(
        None, "entries in a page; default: the shuffle batch size", "RSS_FETCHER_BATCH_SIZE"
    )
    first_id: int = option(0, "id of the first entry, without a file last-rss-entry")
    watch: float | None = option(None, "after the last page, request again every so many seconds")
    page_pause: float = option(0.5, "seconds between two pages")
    allow_address: list[str] = option(
        [], "network such as 10.1.0.0/16 with stories; repeatable", "FETCHER_ALLOW_ADDRESS"
    )
    allow_private: bool = option(
        False, "accept stories at private and loopback addresses", "FETCHER_ALLOW_PRIVATE"
    )
    refuse_address: list[str] = option(
        [], "network whose stories are refused; repeatable", "FETCHER_REFUSE_ADDRESS"
    )


class RSSPuller(Producer[Story]):
    """Makes stories to fetch from the entries of an rss-fetcher."""

    name = "rss-puller"
    counted_as = STORIES

    def __init__(
        self,
        options: RSSPullerOptions,
        pauses: Sequence[float] = PAUSES,
        wait: Callable[[float], Iterator[Mark]] = idle_marks,
    ) -> None:
        """`wait` is called for every pause. Raises ConfigurationError."""
        _check(options)
        self._given = options
        self._pauses = pauses
        self._wait = wait
        self._addresses = AddressPolicy(
            options.allow_address, options.refuse_address, private=options.allow_private
        )
        self._fetcher = RSSFetcher(options)
        self._size = _page_size(options)
        directory = options.data / (options.process_name or self.name)
        self._bookmark = Bookmark(directory, kept=_is_kept(options))

    def produce(self) -> Generator[Story | Skipped | Mark, None, None]:
        """The stories of the entries after the bookmark. See `Producer`."""
        with self._bookmark.held():
            if not self._given.force:
                self._bookmark.read()
            self._measure()
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
        """All entries that the server has now."""
        if (last := self._bookmark.last) is not None:
            # A server with another database would answer with an empty page, for ever.
            self._bookmark.check((yield from self._page(last, 1)))
        while True:
            rows = usable((yield from self._page(self._next, self._size)), self._bookmark.last)
            is_full = len(rows) >= self._size
            log.info("page", first=self._next, entries=len(rows))
            if is_full:
                check_order(rows, self._next)
            yield from self._queue(rows)
            if not is_full:
                return
            yield from self._wait(self._given.page_pause)

    def _page(self, first: int, size: int) -> Generator[Mark, None, list[EntryRow]]:
        """A page, requested again while the server is away or busy."""
        for seconds in self._pauses:
            try:
                return self._fetcher.page(first, size)
            except Unavailable as error:
                longer = max(seconds, min(error.wait or 0.0, LONGEST_PAUSE))
                log.warning("the rss-fetcher failed; trying again", why=str(error), seconds=longer)
            yield from self._wait(longer)
        return self._fetcher.page(first, size)

    def _queue(self, rows: Sequence[EntryRow]) -> Generator[Story | Skipped | Mark, None, None]:
        """The stories of a page. The bookmark moves at its end, or when the program stops."""
        reached: EntryRow | None = None
        last = self._next - 1
        try:
            # In the order of ids, because the bookmark is the entry that was queued last.
            for row in sorted(rows, key=lambda row: -1 if row.id is None else row.id):
                is_new = row.id is not None and row.id > last
                if is_new:
                    reached, last = row, row.id or 0
                yield self._story(row, is_new=is_new)
            # The bookmark may move only when the broker has all stories of the page.
            yield Mark()
        except Stopped:
            # Raised when the broker has all stories yielded so far.
            self._save(reached)
            raise
        self._save(reached)

    def _story(self, row: EntryRow, *, is_new: bool) -> Story | Skipped:
        """The story of an entry, or the reason for skipping it."""
        story = row.story(self._fetcher.server)
        label = story.label or story.rss_entry.via or ""
        if not is_new:
            why = "no usable id" if row.id is None else f"the id {row.id} is not new"
            return Skipped(BAD_ID, label, why, story.origin)
        link, skip = story.rss_entry.link, self._given.skip_domains
        return url_refusal(link, skip, self._addresses, label, story.origin) or story

    def _save(self, row: EntryRow | None) -> None:
        if row is not None:
            self._bookmark.save(row)
            self._measure()

    def _measure(self) -> None:
        # A bookmark that is not stored says nothing about the queue.
        if self._bookmark.last is not None and _is_kept(self._given):
            MAX_ID.set(self._bookmark.last)


def _check(options: RSSPullerOptions) -> None:
    """Raises ConfigurationError for invalid options."""
    if options.inputs:
        raise ConfigurationError("the rss-puller reads no inputs: only --rss-fetcher-url")
    if _page_size(options) < 1:
        raise ConfigurationError("--rss-fetcher-batch-size: at least 1")
    if options.first_id < 0:
        raise ConfigurationError("--first-id: at least 0")
    if options.watch is not None and options.watch <= 0:
        raise ConfigurationError("--watch: more than 0 seconds")


def _page_size(options: RSSPullerOptions) -> int:
    """The number of entries in a page."""
    # A shuffle batch of 1 or less switches shuffling off (stories.md 3.8): it is no page size.
    if options.rss_fetcher_batch_size is not None:
        return options.rss_fetcher_batch_size
    return options.shuffle_batch_size if options.shuffle_batch_size > 1 else PAGE_SIZE


def _is_kept(options: RSSPullerOptions) -> bool:
    """Whether the bookmark is stored: not if only some entries, or none, are queued."""
    sampled = (options.max_messages, options.random_sample, options.sample_size)
    return not (options.dry_run or options.force or options.test) and sampled == (None,) * 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_producer(RSSPuller, RSSPullerOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
