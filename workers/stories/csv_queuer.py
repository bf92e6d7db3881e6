"""Queues the stories of CSV files, and of lists of URLs.

The URL is in the column that is named url, link, story_url, article_url, uri, href or loc, or as
--column says, or else in the first one. Columns are separated by commas, tabs, semicolons or bars.
Tables are read as spreadsheets write them: in UTF-8, UTF-16 or Windows-1252, with line breaks in
cells, a line `sep=;`, the name of the table above. Inputs are files, directories, URLs and buckets,
compressed or not. A broken row is skipped. The file file-tracker.sqlite3 lists the inputs that were
read: they are skipped until they change.

Credentials for s3:// and b2:// come from CSV_S3_REGION, CSV_S3_ACCESS_KEY_ID,
CSV_S3_SECRET_ACCESS_KEY and CSV_S3_ENDPOINT, or CSV_B2_…; then from QUEUER_….

statuses:
  queuing     queued
  parsed      would be queued (--dry-run)
  dropped     left out of the sample
  bad-row     a row that is blank, broken, or has no URL
  dups        the URL was in the same file before
  no-url bad-url bad-scheme no-host bad-host non-news    the URL can't be that of a story

examples:
  story-indexer program csv-queuer urls-2024-01-31.csv.gz s3://bucket/lists/2024*
  story-indexer program csv-queuer --column url="Web Address" sheet.csv
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from indexer.errors import InputError
from indexer.inputs.queuers import Named, Queuer, QueuerOptions
from indexer.messages.worker import Skipped
from indexer.news.counting import STORIES
from indexer.programs.app import run_producer
from indexer.stories.extraction.dates import date_in
from indexer.stories.fetching.links import LinkFilter, LinkOptions
from indexer.stories.queuers.column_options import ColumnOptions
from indexer.stories.queuers.input_kinds import InputKind, kind_of, refusal
from indexer.stories.story import HTTPMetadata, RSSEntry, Story
from indexer.stories.tools.story_file_options import StoryFileOptions
from indexer.system.loggers import get_logger
from indexer.text.cleaning import clean
from indexer.text.decoding.texts import head_text, lines, table_pieces
from indexer.text.tables.columns import Columns, is_spreadsheet, layout, sample_of
from indexer.text.tables.rows import MAX_LINE, BadRow, Layout, url_cells
from indexer.text.unpacking import head_of

log = get_logger()

BAD_ROW = "bad-row"

# The decoder's replacement for bytes that are not UTF-8.
_UNDECODABLE = "\ufffd"


class CSVQueuerOptions(StoryFileOptions, QueuerOptions, LinkOptions, ColumnOptions):
    """Options of the csv-queuer."""


class CSVQueuer(Queuer[Story]):
    """Makes stories to fetch from tables of URLs."""

    name = "csv-queuer"
    counted_as = STORIES
    stores = ("CSV",)
    options: CSVQueuerOptions

    def __init__(self, options: CSVQueuerOptions) -> None:
        """Raises ConfigurationError."""
        super().__init__(options)
        self._columns = options.columns

    def process_file(self, name: str, file: BinaryIO) -> Iterator[Story | Skipped | Named]:
        """The stories of one table, in the order of its rows."""
        head, columns = head_of(file), self._columns
        kind = kind_of(name, head, columns)
        _check(name, kind, head, columns)
        if kind is InputKind.EMPTY:
            log.warning("an empty file", input=name)
            return
        found = layout(name, sample_of(head), columns) or Layout()
        rows = lines(table_pieces(head, file), MAX_LINE)
        yield from self._stories(clean(name), url_cells(rows, found))

    def _stories(self, via: str, cells: Iterable[str | BadRow]) -> Iterator[Story | Skipped]:
        links = LinkFilter(self.options.skip_domains, self.options.fetch.addresses)
        day = date_in(via)
        for number, cell in enumerate(cells, 1):
            checked = _checked(cell)
            if isinstance(checked, BadRow):
                yield Skipped(BAD_ROW, f"{via} row {number}", checked.why)
            else:
                entry = RSSEntry(link=checked, fetch_date=day, via=via)
                # The final URL too, as in stories of earlier versions (stories.md 5.5).
                story = Story(rss_entry=entry, http_metadata=HTTPMetadata(final_url=checked))
                yield links.refusal(checked) or story


def _checked(cell: str | BadRow) -> str | BadRow:
    """The cell, or a BadRow if it is not text."""
    if isinstance(cell, BadRow):
        return cell
    if _UNDECODABLE in cell:
        return BadRow("bytes that are not UTF-8")
    return cell if clean(cell) == cell else BadRow("control characters")


def _check(name: str, kind: InputKind, head: bytes, columns: Columns) -> None:
    """Raises InputError for a file that is not a table. A table may be without any URL."""
    if kind in (InputKind.FEED, InputKind.SITEMAP):
        raise InputError(f"{name}: not a CSV file, but a {kind}: the rss-queuer reads it")
    if kind is InputKind.PAGE:
        raise InputError(f"{name}: an HTML page, not a CSV file")
    if is_spreadsheet(head):
        raise InputError(refusal(name, kind, head, columns))
    if kind is InputKind.WARC or (kind is InputKind.UNKNOWN and not head_text(head)):
        raise InputError(f"{name}: not a CSV file: not text")
    if kind is InputKind.OPML or columns.complaint(sample_of(head)):
        raise InputError(refusal(name, kind, head, columns))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_producer(CSVQueuer, CSVQueuerOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
