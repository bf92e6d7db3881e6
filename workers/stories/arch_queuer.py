"""Queues the stories of WARC archives, to be imported or parsed again.

Inputs are archives, directories (their *.warc and *.warc.gz files) and URLs of buckets. Stories are
read as a stream, in order, and keep all metadata, also the date of parsing. Archives of earlier
versions are supported. Damaged records are skipped; at the end, the damaged archives are named, and
the exit status is 1. The file file-tracker.sqlite3 lists the archives that were read, damaged or
not: they are skipped until they change, unless --force is given.

Credentials for s3:// and b2:// come from ARCHIVER_S3_REGION, ARCHIVER_S3_ACCESS_KEY_ID,
ARCHIVER_S3_SECRET_ACCESS_KEY and ARCHIVER_S3_ENDPOINT, or ARCHIVER_B2_…; then from QUEUER_….

statuses:
  queuing     queued
  parsed      would be queued (--dry-run)
  dropped     left out of the sample
  lost        a damaged record, or a response without its metadata, or the reverse
  no-html     a story without a page
  oversized   a page above MAX_HTML_BYTES
  no-url bad-url bad-scheme no-host bad-host non-news    the URL can't be that of a story

example:
  story-indexer program arch-queuer s3://bucket/2024/05/* data/archive
"""

import sys
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from indexer.errors import InputError
from indexer.http.urls.addresses import AddressPolicy
from indexer.inputs.queuers import Queuer, QueuerOptions
from indexer.messages.worker import Skipped
from indexer.news.counting import STORIES
from indexer.programs.app import run_producer
from indexer.stories.archiving.story_archive_reader import ArchivedStory, Fault, read_stories
from indexer.stories.fetching.links import LinkOptions, url_refusal
from indexer.stories.story import Story
from indexer.stories.tools.story_file_options import StoryFileOptions
from indexer.system.loggers import get_logger
from indexer.system.options import option
from indexer.text.cleaning import one_line

log = get_logger()


class ArchQueuerOptions(StoryFileOptions, QueuerOptions, LinkOptions):
    """Options of the arch-queuer."""

    only: list[str] = option(
        ["*.warc", "*.warc.gz"],
        "pattern for the names of files in directories and buckets; repeatable",
    )
    # Small, because a batch is in memory with its pages; other queuers have links only.
    shuffle_batch_size: int = option(50, "stories queued together")


class ArchQueuer(Queuer[Story]):
    """Reads the stories of archives."""

    name = "arch-queuer"
    counted_as = STORIES
    stores = ("ARCHIVER",)
    # Fetched stories need no shuffling: it interleaves sites for the fetcher (stories.md 3.8).
    shuffled = False
    # After a damaged record, the reader continues at the next gzip member, so it unpacks itself.
    unpacks = False
    options: ArchQueuerOptions

    def process_file(self, name: str, file: BinaryIO) -> Iterator[Story | Skipped]:
        """The stories of one archive, in order. Raises InputError if it has nothing but damage."""
        addresses = self.options.fetch.addresses
        stories = losses = 0
        first: Fault | None = None
        for item in read_stories(file):
            if isinstance(item, ArchivedStory):
                stories += 1
                yield self._refusal(item.story, addresses) or item.story
            else:
                first = first or item
                losses += 1
                place = f"{one_line(name)} record {item.number}, offset {item.offset}"
                yield Skipped("lost", place, item.why)
        if first and not stories:
            raise InputError(f"{name}: not an archive of stories: {first.why}")
        if not stories:
            log.warning("an archive without stories", input=name)
        if first:
            # Not raised: the archive is finished, and another run would lose the same records.
            lost = f"{losses} record{'s' * (losses > 1)} lost, the first: {first}"
            self._failed(name, InputError(f"{name}: {lost}; the rest was read"))

    def _refusal(self, story: Story, addresses: AddressPolicy) -> Skipped | None:
        """The reason for not queuing a story, by the checks of all producers (stories.md 2.5)."""
        size = len(story.raw_html.html or b"")
        if not size:
            return Skipped("no-html", story.label, origin=story.origin)
        if size > self.options.fetch.max_html_bytes:
            return Skipped("oversized", story.label, f"{size} bytes", story.origin)
        url = story.content_metadata.url or story.url
        skip = self.options.skip_domains
        return url_refusal(url, skip, addresses, story.label, story.origin)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_producer(ArchQueuer, ArchQueuerOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
