"""Queues historical stories, from CSV files that were dumped from the old system's database.

The first line names the columns: collect_date, stories_id, media_id, downloads_id, feeds_id,
language, url, in any order. downloads_id is required, and url, but with --allow-no-url: then the
page has to tell its URL, or the parser drops it. Files, directories, URLs and buckets, gzip or
not; a broken row costs one row. What was read is remembered in file-tracker.sqlite3, and skipped
until it changes.

Credentials for s3:// and b2:// come from HIST_S3_REGION, HIST_S3_ACCESS_KEY_ID,
HIST_S3_SECRET_ACCESS_KEY and HIST_S3_ENDPOINT, or HIST_B2_…; then those of QUEUER_… are tried.

statuses:
  queuing     queued
  parsed      would be queued (--dry-run)
  dropped     left out of the sample
  bad-row     a row that is blank or broken
  bad-dlid    its downloads_id is no number
  bad-date    its collect_date is not YYYY-MM-DD HH:MM:SS
  dups        the URL was in the same file before; or, without URLs, the downloads_id
  no-url bad-url bad-scheme no-host bad-host non-news    no URL of a story

examples:
  python -m workers.stories.hist_queuer s3://my-bucket/csv/2021-10*
  python -m workers.stories.hist_queuer --allow-no-url ids-2021-12-30.csv.gz
"""

import sys
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from indexer.inputs.queuers import Named, Queuer, QueuerOptions
from indexer.messages.worker import Skipped
from indexer.programs.app import run_producer
from indexer.stories.extraction.dates import date_in
from indexer.stories.fetching.links import LinkOptions
from indexer.stories.history.history import History
from indexer.stories.queuers.link_filter import LinkFilter
from indexer.stories.story import Story
from indexer.stories.tools.story_files import StoryFileOptions
from indexer.system.options import option
from indexer.text.cleaning import clean
from indexer.text.decoding.texts import lines, text_pieces
from indexer.text.tables import MAX_LINE
from indexer.text.unpacking import head_of


class HistQueuerOptions(StoryFileOptions, QueuerOptions, LinkOptions):
    """What the hist-queuer can be told."""

    allow_no_url: bool = option(
        False, "queue rows without a URL too: their pages tell it", "HIST_ALLOW_NO_URL"
    )


class HistQueuer(Queuer[Story]):
    """From tables of the old system to stories whose pages are in its bucket."""

    name = "hist-queuer"
    stores = ("HIST",)
    shuffled = False

    def __init__(self, options: HistQueuerOptions) -> None:
        super().__init__(options)
        self._given = options

    def process_file(self, name: str, file: BinaryIO) -> Iterator[Story | Skipped | Named]:
        """The stories of one table, row for row."""
        via = clean(name)
        links = LinkFilter(self._given.skip_domains, self._given.addresses)
        history = History(via, date_in(via), links, blind=self._given.allow_no_url)
        yield from history.read(lines(text_pieces(head_of(file), file, detect=False), MAX_LINE))


def main(arguments: Sequence[str] | None = None) -> int:
    """Be the program. Returns its exit status."""
    return run_producer(HistQueuer, HistQueuerOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
