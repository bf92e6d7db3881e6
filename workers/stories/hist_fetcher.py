"""Reads the pages of historical stories from the old system's bucket.

The link of a story is a number, the downloads_id; its page is the object with that name below
--downloads-url, compressed or not. Some numbers were given twice: the program takes the version
that was stored in the epoch in which the story was collected. Most of the time is spent waiting for
the store, so use many threads (-W).

Credentials for s3:// and b2:// come from HIST_S3_REGION, HIST_S3_ACCESS_KEY_ID,
HIST_S3_SECRET_ACCESS_KEY and HIST_S3_ENDPOINT, or HIST_B2_…; then from QUEUER_…; then from the
sources of the AWS client. The program tests them when it starts. They need permission to list and
read the bucket; for numbers that were given twice, also to list and read versions.

statuses:
  success      the page is in the story
  bad-dlid     discarded: the link is not a downloads_id
  not-found    discarded: the object doesn't exist
  epoch-err    discarded: no version of the object was stored in the story's epoch
  redundant    discarded: the object stands for a feed without new stories
  no-html      discarded: the page is empty
  oversized    discarded: the page is larger than MAX_HTML_BYTES
  no-epoch     quarantined: the number was given twice, and the date is missing or in no epoch
  bad-gzip     quarantined: the object is damaged
  store-err    retried later: the store failed

example:
  story-indexer program hist-fetcher -W 16 --downloads-url s3://my-bucket/downloads
"""

import sys
from collections.abc import Sequence

from indexer.blobstore.credentials import open_all, readable
from indexer.errors import Discard
from indexer.messages.worker import Worker
from indexer.news.counting import STORIES
from indexer.programs.app import run_worker
from indexer.stories.archiving.story_archive_writer import fetch_time
from indexer.stories.history.downloads import Downloads, numeric_id
from indexer.stories.story import RawHTML, Story
from indexer.stories.tools.story_file_options import StoryFileOptions
from indexer.system.options import option

STORES = ("HIST", "QUEUER")
"""Prefixes of the variables with credentials; the first complete set is used (stories.md 5.7)."""


class HistFetcherOptions(StoryFileOptions):
    """Options of the hist-fetcher."""

    downloads_url: str = option(
        "s3://mediacloud-downloads-backup/downloads",
        "store of the pages: s3://BUCKET/PREFIX, or a directory",
        "HIST_DOWNLOADS_URL",
    )
    max_html_bytes: int = option(
        10_000_000, "largest page, in bytes, uncompressed", "MAX_HTML_BYTES"
    )


class HistFetcher(Worker[Story, Story]):
    """Adds the pages to historical stories. Thread-safe."""

    name = "hist-fetcher"
    counted_as = STORIES
    takes = Story
    # A page takes about 100 ms on S3, most of it waiting.
    threads = 8
    prefetch = 16

    def __init__(self, options: HistFetcherOptions) -> None:
        """Raises ConfigurationError if no page can be read, StorageError if the store fails."""
        store = readable(open_all(options.downloads_url, *STORES))
        self._downloads = Downloads(store, options.max_html_bytes)

    def process(self, story: Story) -> Story:
        """The story with its page, and the time at which it was collected, or else stored."""
        number = numeric_id(story.rss_entry.link)
        if number is None:
            raise Discard("bad-dlid", f"{story.rss_entry.link!r} is not a downloads_id")
        collected = fetch_time(story)
        found = self._downloads.get(number, collected)
        # The old system's tables have no status; archives need one (stories.md 5.7).
        story.http_metadata.response_code = 200
        # The time of storing is the best that is known (stories.md 5.7).
        if collected is None and found.stored is not None:
            story.http_metadata.fetch_timestamp = found.stored.timestamp()
        story.raw_html = RawHTML(html=found.page)
        return story


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_worker(HistFetcher, HistFetcherOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
