"""Queues the stories in feeds and sitemaps.

Reads RSS, RDF, Atom, JSON Feed, sitemaps and indexes of sitemaps, from files, directories, URLs
and buckets, compressed or not; and the daily RSS files of the rss-fetcher, by date. The file
file-tracker.sqlite3 lists the inputs that were read: they are skipped until they change.

Credentials for s3:// and b2:// come from RSS_S3_REGION, RSS_S3_ACCESS_KEY_ID,
RSS_S3_SECRET_ACCESS_KEY and RSS_S3_ENDPOINT, or RSS_B2_…; then from QUEUER_….

statuses:
  queuing     queued
  parsed      would be queued (--dry-run)
  dropped     left out of the sample
  bad         an item without a link
  dups        the link was in the same file before
  no-url bad-url bad-scheme no-host bad-host non-news    the link can't be that of a story

examples:
  story-indexer program rss-queuer https://site.example/feed.xml feeds/
  story-indexer program rss-queuer --days 2
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import BinaryIO

from indexer.errors import ConfigurationError
from indexer.inputs.queuers import Named, Queuer, QueuerOptions
from indexer.messages.worker import Skipped
from indexer.news.counting import STORIES
from indexer.programs.app import run_producer
from indexer.stories.fetching.links import LinkFilter, LinkOptions
from indexer.stories.queuers.feeds import read_feed
from indexer.stories.story import RSSEntry, Story
from indexer.stories.tools.story_file_options import StoryFileOptions
from indexer.system.options import option
from indexer.text.dates import utc_now

FIRST_DAY = date(2022, 2, 18)
"""The first day with a daily file (stories.md 5.4)."""

READY_HOUR = 1
"""The hour (UTC) at which the daily file of yesterday is ready."""


class RSSQueuerOptions(StoryFileOptions, QueuerOptions, LinkOptions):
    """Options of the rss-queuer."""

    fetch_date: list[str] = option([], "YYYY-MM-DD: read the file of that day; repeatable")
    days: int = option(0, "read the files of this many days, up to yesterday")
    yesterday: bool = option(False, "read yesterday's file, once it is ready")
    daily_url: str = option(
        "https://mediacloud-public.s3.us-east-005.backblazeb2.com"
        "/daily-rss/rss-fetcher/mc-{date}.rss.gz",
        "URL of a day's file; {date} is replaced by YYYY-MM-DD",
        "RSS_DAILY_URL",
    )


class RSSQueuer(Queuer[Story]):
    """Makes stories to fetch from feeds and sitemaps."""

    name = "rss-queuer"
    counted_as = STORIES
    stores = ("RSS",)
    options: RSSQueuerOptions

    def __init__(self, options: RSSQueuerOptions, clock: Callable[[], datetime] = utc_now) -> None:
        super().__init__(options)
        self._clock = clock

    def names(self) -> Sequence[str]:
        """The URLs of daily files, then the inputs of the command line."""
        given = self.options
        if not (given.fetch_date or given.days or given.yesterday):
            return super().names()
        days = wanted_days(given, self._clock())
        urls = [given.daily_url.replace("{date}", day.isoformat()) for day in days]
        return [*urls, *given.producer.inputs]

    def process_file(self, name: str, file: BinaryIO) -> Iterator[Story | Skipped | Named]:
        """The stories of one feed, in its order."""
        links = LinkFilter(self.options.skip_domains, self.options.fetch.addresses)
        for found in read_feed(name, file):
            if isinstance(found, RSSEntry):
                yield links.refusal(found.link or "") or Story(rss_entry=found)
            else:
                yield found


def wanted_days(options: RSSQueuerOptions, now: datetime) -> list[date]:
    """The days of the daily files to read, the newest first. Raises ConfigurationError."""
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
        raise ConfigurationError(f"--fetch-date {text}: not a date YYYY-MM-DD") from None
    if not FIRST_DAY <= day <= yesterday:
        why = f"there are daily files from {FIRST_DAY} to {yesterday}"
        raise ConfigurationError(f"--fetch-date {text}: {why}")
    return day


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_producer(RSSQueuer, RSSQueuerOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
