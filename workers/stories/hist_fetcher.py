"""Reads the pages of historical stories from the old system's bucket.

A story's link is a number, the downloads_id; its page is the object of that name below
--downloads-url, gzip or not. Some numbers were given twice: of these the version is taken that
was stored in the epoch in which the story was collected. Most of the time is spent waiting for
the store: use many threads (-W).

Credentials for s3:// and b2:// come from HIST_S3_REGION, HIST_S3_ACCESS_KEY_ID,
HIST_S3_SECRET_ACCESS_KEY and HIST_S3_ENDPOINT, or HIST_B2_…; else from those of QUEUER_…; else
from where the AWS client finds some. They are tried when the program starts; they must be allowed
to list the bucket, and where numbers were given twice its versions, as well as to read both.

statuses:
  success      the page is in the story
  bad-dlid     discarded: its link is no downloads_id
  not-found    discarded: there is no such object
  epoch-err    discarded: no version of the object is of the story's epoch
  redundant    discarded: the object stands for a feed without news
  no-html      discarded: the page is empty
  oversized    discarded: the page is above MAX_HTML_BYTES
  no-epoch     quarantined: its number was given twice, and its date doesn't tell which is meant
  bad-gzip     quarantined: the object is damaged
  store-err    the store failed: again later

example:
  python -m workers.stories.hist_fetcher -W 16 --downloads-url s3://my-bucket/downloads
"""

import sys
from collections.abc import Sequence

from indexer.blobstore.credentials import open_all
from indexer.blobstore.fallback import readable
from indexer.errors import Discard
from indexer.messages.worker import Worker
from indexer.programs.app import run_worker
from indexer.stories.archiving.story_archive_writer import fetch_time
from indexer.stories.history.downloads import Downloads, numeric_id
from indexer.stories.story import RawHTML, Story
from indexer.stories.tools.story_files import StoryFileOptions
from indexer.system.options import option

STORES = ("HIST", "QUEUER")
"""Whose credentials are used: those of the first that has any (stories.md 5.7)."""


class HistFetcherOptions(StoryFileOptions):
    """What the hist-fetcher can be told."""

    downloads_url: str = option(
        "s3://mediacloud-downloads-backup/downloads",
        "where the pages are: s3://BUCKET/PREFIX, or a directory",
        "HIST_DOWNLOADS_URL",
    )
    max_html_bytes: int = option(10_000_000, "largest page, unpacked", "MAX_HTML_BYTES")


class HistFetcher(Worker[Story]):
    """From numbers to stories with pages. Thread-safe."""

    name = "hist-fetcher"
    takes = Story
    threads = 8

    def __init__(self, options: HistFetcherOptions) -> None:
        """Raises ConfigurationError: the pages can't be read; StorageError: the store is away."""
        store = readable(open_all(options.downloads_url, *STORES))
        self._downloads = Downloads(store, options.max_html_bytes)

    def process(self, story: Story) -> Story:
        """The story with its page, and the time at which it was collected, or else stored."""
        number = numeric_id(story.rss_entry.link)
        if number is None:
            raise Discard("bad-dlid", f"{story.rss_entry.link!r} is no downloads_id")
        collected = fetch_time(story)
        found = self._downloads.get(number, collected)
        story.http_metadata.response_code = 200
        if collected is None and found.stored is not None:
            story.http_metadata.fetch_timestamp = found.stored.timestamp()
        story.raw_html = RawHTML(html=found.page)
        return story


def main(arguments: Sequence[str] | None = None) -> int:
    """Be the program. Returns its exit status."""
    return run_worker(HistFetcher, HistFetcherOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
