"""Queues the stories that feeds and sitemaps announce.

Reads RSS, RDF, Atom, JSON Feed, sitemaps and indexes of sitemaps, from files, directories, URLs
and buckets, gzip or not; and the whole-day RSS files of the rss-fetcher, by date. What was read is
remembered in file-tracker.sqlite3 and skipped, until it changes.

Credentials for s3:// and b2:// come from RSS_S3_REGION, RSS_S3_ACCESS_KEY_ID,
RSS_S3_SECRET_ACCESS_KEY and RSS_S3_ENDPOINT, or RSS_B2_…; then those of QUEUER_… are tried.

statuses:
  queuing     queued
  parsed      would be queued (--dry-run)
  dropped     left out of the sample
  bad         an item without a link
  dups        the link was in the same file before
  no-url bad-url bad-scheme no-host bad-host non-news    no link to a story

examples:
  python -m workers.stories.rss_queuer https://site.example/feed.xml feeds/
  python -m workers.stories.rss_queuer --days 2
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import BinaryIO

from indexer.errors import ConfigurationError
from indexer.inputs.queuers import Named, Queuer, QueuerOptions
from indexer.messages.worker import Skipped
from indexer.programs.app import run_producer
from indexer.stories.fetching.links import LinkOptions
from indexer.stories.queuers.feeds import Sitemap, read_feed
from indexer.stories.queuers.link_filter import LinkFilter
from indexer.stories.story import RSSEntry, Story
from indexer.stories.tools.story_files import StoryFileOptions
from indexer.system.options import option

FIRST_DAY = date(2022, 2, 18)
"""The first day that has a file."""

READY_HOUR = 1
"""The hour (UTC) at which the file of the day before is there."""


class RSSQueuerOptions(StoryFileOptions, QueuerOptions, LinkOptions):
    """What the rss-queuer can be told."""

    fetch_date: list[str] = option([], "YYYY-MM-DD: read the file of that day; repeatable")
    days: int = option(0, "read the files of so many days, up to yesterday")
    yesterday: bool = option(False, "read yesterday's file, as soon as it is there")
    daily_url: str = option(
        "https://mediacloud-public.s3.us-east-005.backblazeb2.com"
        "/daily-rss/rss-fetcher/mc-{date}.rss.gz",
        "where the file of a day is; {date} stands for YYYY-MM-DD",
        "RSS_DAILY_URL",
    )


class RSSQueuer(Queuer[Story]):
    """From feeds to stories that are to be fetched."""

    name = "rss-queuer"
    stores = ("RSS",)

    def __init__(
        self,
        options: RSSQueuerOptions,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        super().__init__(options)
        self._given = options
        self._clock = clock

    def names(self) -> Sequence[str]:
        """Days before what is named."""
        given = self._given
        if not (given.fetch_date or given.days or given.yesterday):
            return super().names()
        days = wanted_days(given, self._clock())
        urls = [given.daily_url.replace("{date}", day.isoformat()) for day in days]
        return [*urls, *given.inputs]

    def process_file(self, name: str, file: BinaryIO) -> Iterator[Story | Skipped | Named]:
        """The stories of one feed, in its order."""
        links = LinkFilter(self._given.skip_domains, self._given.addresses)
        for found in read_feed(name, file):
            if isinstance(found, Sitemap):
                yield Named(found.url)
            elif isinstance(found, RSSEntry):
                yield links.refusal(found.link or "") or Story(rss_entry=found)
            else:
                yield found


def wanted_days(options: RSSQueuerOptions, now: datetime) -> list[date]:
    """The days whose files are to be read, the newest first. Raises ConfigurationError."""
    yesterday = now.date() - timedelta(days=1)
    last = yesterday if now.hour >= READY_HOUR else yesterday - timedelta(days=1)
    count = max(options.days, 1 if options.yesterday and last == yesterday else 0)
    recent = {last - timedelta(days=back) for back in range(count)}
    named = {_day(text, yesterday) for text in options.fetch_date}
    return sorted((day for day in recent | named if day >= FIRST_DAY), reverse=True)


def _day(text: str, yesterday: date) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ConfigurationError(f"--fetch-date {text}: a date is YYYY-MM-DD") from None
    if not FIRST_DAY <= day <= yesterday:
        raise ConfigurationError(f"--fetch-date {text}: there are {FIRST_DAY} to {yesterday}")
    return day


def main(arguments: Sequence[str] | None = None) -> int:
    """Be the program. Returns the exit status."""
    return run_producer(RSSQueuer, RSSQueuerOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
