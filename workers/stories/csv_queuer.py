"""Queues the stories of CSV files, and of plain lists of URLs.

The URL is in the first column, or in the one that a header calls url, link, uri, href or loc.
Commas, tabs, semicolons or bars; gzip or not; from files, directories, URLs and buckets. A broken
row costs one row. What was read is remembered in file-tracker.sqlite3, and skipped until it
changes.

Credentials for s3:// and b2:// come from CSV_S3_REGION, CSV_S3_ACCESS_KEY_ID,
CSV_S3_SECRET_ACCESS_KEY and CSV_S3_ENDPOINT, or CSV_B2_…; then those of QUEUER_… are tried.

statuses:
  queuing     queued
  parsed      would be queued (--dry-run)
  dropped     left out of the sample
  bad-row     a row that is blank, broken, or has no URL
  dups        the URL was in the same file before
  no-url bad-url bad-scheme no-host bad-host non-news    no URL of a story

example:
  python -m workers.stories.csv_queuer urls-2024-01-31.csv.gz s3://bucket/lists/2024*
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

import structlog

from indexer.errors import InputError
from indexer.inputs.queuers import Named, Queuer, QueuerOptions
from indexer.messages.worker import Skipped
from indexer.programs.app import run_producer
from indexer.stories.extraction.dates import date_in
from indexer.stories.fetching.links import LinkOptions
from indexer.stories.queuers.input_kinds import InputKind, kind_of, sample_lines
from indexer.stories.queuers.link_filter import LinkFilter
from indexer.stories.story import HTTPMetadata, RSSEntry, Story
from indexer.stories.tools.story_files import StoryFileOptions
from indexer.text.cleaning import clean
from indexer.text.decoding.texts import head_text, lines, text_pieces
from indexer.text.tables import MAX_LINE, BadRow, Layout, layout, url_cells
from indexer.text.unpacking import head_of

log = structlog.get_logger()

BAD_ROW = "bad-row"

_UNDECODABLE = "\ufffd"


class CSVQueuerOptions(StoryFileOptions, QueuerOptions, LinkOptions):
    """What the csv-queuer can be told."""


class CSVQueuer(Queuer[Story]):
    """From tables of URLs to stories that are to be fetched."""

    name = "csv-queuer"
    stores = ("CSV",)

    def __init__(self, options: CSVQueuerOptions) -> None:
        super().__init__(options)
        self._given = options

    def process_file(self, name: str, file: BinaryIO) -> Iterator[Story | Skipped | Named]:
        """The stories of one table, row for row."""
        head = head_of(file)
        kind = kind_of(name, head)
        _check(name, kind, head)
        if kind is InputKind.EMPTY:
            log.warning("an empty file", input=name)
            return
        found = layout(name, sample_lines(head_text(head))) or Layout()
        rows = lines(text_pieces(head, file, detect=False), MAX_LINE)
        yield from self._stories(clean(name), url_cells(rows, found))

    def _stories(self, via: str, cells: Iterable[str | BadRow]) -> Iterator[Story | Skipped]:
        links = LinkFilter(self._given.skip_domains, self._given.addresses)
        day = date_in(via)
        for number, cell in enumerate(cells, 1):
            checked = _checked(cell)
            if isinstance(checked, BadRow):
                yield Skipped(BAD_ROW, f"{via} row {number}", checked.why)
            else:
                entry = RSSEntry(link=checked, fetch_date=day, via=via)
                story = Story(rss_entry=entry, http_metadata=HTTPMetadata(final_url=checked))
                yield links.refusal(checked) or story


def _checked(cell: str | BadRow) -> str | BadRow:
    """The cell, if it is text."""
    if isinstance(cell, BadRow):
        return cell
    if _UNDECODABLE in cell:
        return BadRow("bytes that are not UTF-8")
    return cell if clean(cell) == cell else BadRow("characters that no text has")


def _check(name: str, kind: InputKind, head: bytes) -> None:
    """Refuse what is no table at all; one without a single URL is one of bad rows."""
    if kind in (InputKind.FEED, InputKind.SITEMAP):
        raise InputError(f"{name}: not a CSV file, but a {kind}: the rss-queuer reads it")
    if kind is InputKind.PAGE:
        raise InputError(f"{name}: an HTML page, not a CSV file")
    if kind is InputKind.WARC or (kind is InputKind.UNKNOWN and not head_text(head)):
        raise InputError(f"{name}: not a CSV file: it isn't text")


def main(arguments: Sequence[str] | None = None) -> int:
    """Be the program. Returns the exit status."""
    return run_producer(CSVQueuer, CSVQueuerOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
