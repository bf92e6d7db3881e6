"""Queues the stories of our own WARC archives, to be imported or parsed again.

Archives are files, directories (the *.warc and *.warc.gz in them) or in buckets; they are read as
a stream, in order, and each story keeps all that was known of it, its parsed date too. Archives of
earlier versions are read as well. What is damaged is skipped, and the rest read; at the end the
archive is named, and the status is 1. What was read, damaged or not, is remembered in
file-tracker.sqlite3, and skipped until it changes: --force reads it again.

Credentials for s3:// and b2:// come from ARCHIVER_S3_REGION, ARCHIVER_S3_ACCESS_KEY_ID,
ARCHIVER_S3_SECRET_ACCESS_KEY and ARCHIVER_S3_ENDPOINT, or ARCHIVER_B2_…; then those of QUEUER_…
are tried.

statuses:
  queuing     queued
  parsed      would be queued (--dry-run)
  dropped     left out of the sample
  lost        a record that is damaged, or without its partner
  no-html     a story without a page
  oversized   a page above MAX_HTML_BYTES
  no-url bad-url bad-scheme no-host bad-host non-news    no URL of a story

example:
  python -m workers.stories.arch_queuer s3://bucket/2024/05/* data/archive
"""

import sys
from collections.abc import Iterator, Sequence
from typing import BinaryIO

import structlog

from indexer.errors import Discard, InputError
from indexer.inputs.queuers import Queuer, QueuerOptions
from indexer.messages.worker import Skipped
from indexer.programs.app import run_producer
from indexer.stories.archiving.story_archive_reader import ArchivedStory, Fault, read_stories
from indexer.stories.fetching.links import LinkOptions, check_url
from indexer.stories.story import Story
from indexer.stories.tools.story_files import StoryFileOptions
from indexer.system.options import option
from indexer.text.cleaning import one_line

log = structlog.get_logger()


class ArchQueuerOptions(StoryFileOptions, QueuerOptions, LinkOptions):
    """What the arch-queuer can be told."""

    only: list[str] = option(
        ["*.warc", "*.warc.gz"],
        "pattern that names in directories and buckets have to match; repeatable",
    )
    # Their pages are held until they are queued.
    shuffle_batch_size: int = option(50, "stories queued together")


class ArchQueuer(Queuer[Story]):
    """From archives to the stories in them."""

    name = "arch-queuer"
    stores = ("ARCHIVER",)
    shuffled = False
    # The reader goes on behind a damaged record only if it sees where the packed ones start.
    unpacks = False

    def __init__(self, options: ArchQueuerOptions) -> None:
        super().__init__(options)
        self._given = options
        self._addresses = options.addresses

    def process_file(self, name: str, file: BinaryIO) -> Iterator[Story | Skipped]:
        """The stories of one archive, in order. Raises InputError if there are only damages."""
        stories = losses = 0
        lost: Fault | None = None
        for item in read_stories(file):
            if isinstance(item, ArchivedStory):
                stories += 1
                yield self._refusal(item.story) or item.story
            else:
                lost = lost or item
                losses += 1
                yield Skipped("lost", _place(name, item), item.why)
        if lost and not stories:
            raise InputError(f"{name}: no archive of stories: {lost.why}")
        if not stories:
            log.warning("an archive without stories", input=name)
        if lost:
            # It is read to its end, and not to be read again: but a person should know.
            many = f"{losses} record{'s' * (losses > 1)} lost, the first: {lost}"
            self._failed(name, InputError(f"{name}: {many}; the rest was read"))

    def _refusal(self, story: Story) -> Skipped | None:
        """Why a story isn't to be queued: the checks of all producers (stories.md 2.5)."""
        size = len(story.raw_html.html or b"")
        if not size:
            return Skipped("no-html", story.label, origin=story.origin)
        if size > self._given.max_html_bytes:
            return Skipped("oversized", story.label, f"{size} bytes", story.origin)
        url = story.content_metadata.url or story.url
        try:
            check_url(url, self._given.skip_domains, self._addresses)
        except Discard as error:
            return Skipped(error.status, story.label, error.why, story.origin)
        return None


def _place(name: str, lost: Fault) -> str:
    """Where an archive is damaged."""
    return f"{one_line(name)} record {lost.number}, offset {lost.offset}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Be the program. Returns the exit status."""
    return run_producer(ArchQueuer, ArchQueuerOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
