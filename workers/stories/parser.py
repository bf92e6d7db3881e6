"""Extracts text and metadata from the pages of stories.

With --archive-drops, stories that are dropped go to the drop-archiver, with the reason. Stories
without a page do not, and neither do stories that were read from an archive.

With --keep-parsed-date, a story from an archive keeps the date of its first parsing, by which the
index sorts; otherwise each story gets a new one.

statuses:
  OK-<extractor>        parsed, and sent on
  no-html               discarded: the story has no page
  feed                  discarded: the page is a feed or sitemap
  too-short no-text     discarded: the page has too little text, or none
  link-list             discarded: the page is a list of links
  homepage              discarded: the URL is that of a homepage
  no-canonical-url      discarded: the story needs the URL from its page, which declares none
  bad-url bad-scheme no-host bad-host non-news   discarded: the URL from the page
  no-url                quarantined: the story has no final URL
  no-decode             quarantined: the page is not text in any encoding
  extract-timeout extract-memory extract-crash extract-error extract-attributes
                        quarantined: the extractors fail on the page, or would
  extract-killed        retried once, then quarantined: the extraction was killed from outside

example:
  story-indexer program parser --broker-url sqlite:///data/queues.sqlite3
"""

import sys
import time
from collections.abc import Sequence
from datetime import date

from indexer.errors import ConfigurationError, Discard, Quarantine
from indexer.http.urls.parts import host_of
from indexer.messages.message import DROPPED
from indexer.messages.worker import Done, Result, Worker
from indexer.metrics import are_read, day_number, reading, timer
from indexer.metrics.bounded import BoundedLabel
from indexer.news.counting import STORIES
from indexer.news.homepages import HomepageRule
from indexer.programs.app import run_worker
from indexer.search.language.dates import moment
from indexer.stories.extraction.dates import Stamps
from indexer.stories.extraction.extractor import Extractor
from indexer.stories.extraction.pages import MIN_TEXT, Extraction, FetchedPage
from indexer.stories.fetching.links import LinkOptions, check_url
from indexer.stories.story import NEED_CANONICAL_URL, Story
from indexer.stories.tools.story_file_options import StoryFileOptions
from indexer.system.options import option
from indexer.system.sandbox import SandboxLimits

# The extractors themselves take 290 MB of address space.
LEAST_MEGABYTES = 384

MOST_HOSTS = 500
"""The hosts of which each has a series of its own."""

ENCODING = timer("encoding", "finding a page's encoding, and decoding it")
EXTRACT = timer("extract", "extraction of a page, by step", "step")
AGREEMENT = reading(
    "text-agreement",
    "agreement of texts with trafilatura's, 0 to 1, for a sample of stories, by host",
    "host",
)
PUBLISHED = reading("extracted-pub-date", "publication dates found on pages, as YYYYMMDD")
FETCHED = reading("fetch-ts", "times at which pages were fetched, in ms since the epoch")


class ParserOptions(StoryFileOptions, LinkOptions):
    """Options of the parser."""

    min_text: int = option(
        MIN_TEXT, "drop texts of this many characters or fewer", "PARSER_MIN_TEXT"
    )
    homepage_rule: HomepageRule = option(
        HomepageRule.STRICT,
        "which URLs are homepages: strict, mcmetadata (any short path) or off",
        "PARSER_HOMEPAGE_RULE",
    )
    page_seconds: float = option(
        30.0, "most seconds of CPU time for the extraction of a page", "PARSER_PAGE_SECONDS"
    )
    page_megabytes: int = option(
        1024, "most megabytes of memory for the extraction of a page", "PARSER_PAGE_MEGABYTES"
    )
    keep_parsed_date: bool = option(
        False, "keep the date of stories that were parsed before", "PARSER_KEEP_PARSED_DATE"
    )
    compared_share: float = option(
        0.01,
        "share of stories that trafilatura reads, too, for the metric text-agreement; only where"
        " metrics are read",
        "PARSER_COMPARED_SHARE",
    )
    archive_drops: bool = option(
        False, "send dropped stories to the drop-archiver", "PARSER_ARCHIVE_DROPS"
    )


class Parser(Worker[Story, Story]):
    """Extracts text and metadata. Thread-safe: each thread has its own process."""

    name = "parser"
    counted_as = STORIES
    takes = Story
    # Pages take 3 ms. The worst ones take half a minute each: brokers wait half an hour for these.
    prefetch = 32

    def __init__(self, options: ParserOptions) -> None:
        self._options = options
        self._stamps = Stamps()
        self._hosts = BoundedLabel(MOST_HOSTS)
        if options.page_megabytes < LEAST_MEGABYTES:
            raise ConfigurationError(f"--page-megabytes: at least {LEAST_MEGABYTES}")
        if not 0 <= options.compared_share <= 1:
            raise ConfigurationError("--compared-share: from 0 to 1")
        self._extractor = Extractor(
            SandboxLimits(seconds=options.page_seconds, megabytes=options.page_megabytes)
        )

    def process(self, story: Story) -> Result[Story]:
        """The story with its content metadata. Raises Discard, Quarantine, Retry."""
        # A story from an archive of dropped stories is judged anew.
        story.unknown.pop(DROPPED, None)
        try:
            return self._parsed(story)
        except Discard as drop:
            # Stories from archives have this date: each run would archive them once more.
            archived = story.content_metadata.parsed_date
            if self._options.archive_drops and story.raw_html.html and not archived:
                story.unknown[DROPPED] = {"by": self.name, "status": drop.status, "why": drop.why}
                drop.outputs = [story]
            raise

    def close(self) -> None:
        self._extractor.close()

    def _parsed(self, story: Story) -> Result[Story]:
        page = self._page(story)
        found = self._extractor.extract(page)
        # No earlier program has checked a URL that comes from the page.
        if page.url == NEED_CANONICAL_URL:
            check_url(found.metadata.url, self._options.skip_domains)
            story.http_metadata.final_url = found.metadata.url
        self._fill(story, page, found)
        _measure(story, found)
        if found.agreement is not None:
            host = self._hosts.of(host_of(found.metadata.url or "") or "")
            AGREEMENT.observe(found.agreement, host=host)
        return Done([story], f"OK-{found.metadata.text_extraction_method}")

    def _page(self, story: Story) -> FetchedPage:
        http, html = story.http_metadata, story.raw_html.html
        if not html:
            raise Discard("no-html")
        if not http.final_url:
            raise Quarantine("no-url", "http_metadata has no final_url")
        return FetchedPage(
            url=http.final_url,
            html=html,
            http_charset=http.encoding,
            known_charset=story.raw_html.encoding,
            min_text=self._options.min_text,
            homepage_rule=self._options.homepage_rule,
            now=time.time(),
            compared=self._options.compared_share if are_read() else 0.0,
        )

    def _fill(self, story: Story, page: FetchedPage, found: Extraction) -> None:
        before = story.content_metadata.parsed_date
        kept = moment(before) if before and self._options.keep_parsed_date else None
        story.content_metadata = found.metadata
        story.content_metadata.parsed_date = kept or self._stamps.next()
        # Archives have pages without a byte order mark (stories.md 7.1). Other pages are sent on as
        # they came, compressed.
        if found.bom:
            story.raw_html.html = page.html[found.bom :]
        story.raw_html.encoding = found.encoding


def _measure(story: Story, found: Extraction) -> None:
    """Update the metrics of parsed stories (stories.md 2.6)."""
    for step, seconds in found.seconds.items():
        if step == "encoding":
            ENCODING.observe(seconds)
        else:
            EXTRACT.observe(seconds, step=step)
    if published := found.metadata.publication_date:
        PUBLISHED.observe(day_number(date.fromisoformat(published)))
    if (fetched := story.http_metadata.fetch_timestamp) is not None:
        FETCHED.observe(fetched * 1000)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_worker(Parser, ParserOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
