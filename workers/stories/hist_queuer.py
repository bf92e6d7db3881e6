"""Queues historical stories, from CSV files that were exported from the old system's database.

The first line names the columns: collect_date, stories_id, media_id, downloads_id, feeds_id,
language, url, in any order. The columns downloads_id and url are required. With --allow-no-url,
url may be missing: the parser takes the URL from the page, or drops the story. Inputs are files,
directories, URLs and buckets, compressed or not. A broken row is skipped. The file
file-tracker.sqlite3 lists the inputs that were read: they are skipped until they change.

Credentials for s3:// and b2:// come from HIST_S3_REGION, HIST_S3_ACCESS_KEY_ID,
HIST_S3_SECRET_ACCESS_KEY and HIST_S3_ENDPOINT, or HIST_B2_…; then from QUEUER_….

statuses:
  queuing     queued
  parsed      would be queued (--dry-run)
  dropped     left out of the sample
  bad-row     the row is blank or broken
  bad-dlid    the downloads_id is not a number
  bad-date    the collect_date is not YYYY-MM-DD HH:MM:SS
  dups        the URL was in the same file before; or, without URLs, the downloads_id
  no-url bad-url bad-scheme no-host bad-host non-news    the URL can't be that of a story

examples:
  story-indexer program hist-queuer s3://my-bucket/csv/2021-10*
  story-indexer program hist-queuer --allow-no-url ids-2021-12-30.csv.gz
"""

import sys
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from indexer.inputs.queuers import Named, Queuer, QueuerOptions
from indexer.messages.worker import Skipped
from indexer.news.counting import STORIES
from indexer.programs.app import run_producer
from indexer.stories.extraction.dates import date_in
from indexer.stories.fetching.links import LinkFilter, LinkOptions
from indexer.stories.history.history import History
from indexer.stories.story import Story
from indexer.stories.tools.story_file_options import StoryFileOptions
from indexer.system.options import option
from indexer.text.cleaning import clean
from indexer.text.decoding.texts import lines, text_pieces
from indexer.text.tables.rows import MAX_LINE
from indexer.text.unpacking import head_of


class HistQueuerOptions(StoryFileOptions, QueuerOptions, LinkOptions):
    """Options of the hist-queuer."""

    allow_no_url: bool = option(
        False,
        "also queue rows without a URL: the parser takes it from the page",
        "HIST_ALLOW_NO_URL",
    )


class HistQueuer(Queuer[Story]):
    """Makes stories whose pages are in the old system's bucket from its tables."""

    name = "hist-queuer"
    counted_as = STORIES
    stores = ("HIST",)
    # The pages come from one bucket: there are no sites to interleave (stories.md 3.8).
    shuffled = False
    options: HistQueuerOptions

    def process_file(self, name: str, file: BinaryIO) -> Iterator[Story | Skipped | Named]:
        """The stories of one table, in the order of its rows."""
        via = clean(name)
        links = LinkFilter(self.options.skip_domains, self.options.fetch.addresses)
        history = History(via, date_in(via), links, blind=self.options.allow_no_url)
        yield from history.read(lines(text_pieces(head_of(file), file, detect=False), MAX_LINE))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_producer(HistQueuer, HistQueuerOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
