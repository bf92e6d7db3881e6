"""Turns a story's page into text and metadata.

Statuses: OK-<extractor>; dropped: no-html feed too-short no-text homepage no-canonical-url and
those of URLs that are no story's; quarantined: no-url no-decode, and extract-timeout
extract-memory extract-crash extract-error for pages that an extractor fails on.

    python -m workers.stories.parser --broker-url sqlite:///data/queues.sqlite3
"""

import sys
import time
from collections.abc import Sequence

from indexer.app import WorkerOptions, run_worker
from indexer.errors import ConfigurationError, Discard, Quarantine
from indexer.options import option
from indexer.sandbox import Limits
from indexer.stories.dates import Stamps
from indexer.stories.extractor import Extractor
from indexer.stories.homepages import HomepageRule
from indexer.stories.links import LinkOptions, check_url
from indexer.stories.page import MIN_TEXT, Extraction, Page
from indexer.stories.story import NEED_CANONICAL_URL, Story
from indexer.worker import Done, Result, Worker

LEAST_MEGABYTES = 384
"""The extractors themselves take 290 MB of address space."""


class ParserOptions(WorkerOptions, LinkOptions):
    """What the parser can be told."""

    min_text: int = option(
        MIN_TEXT, "a text of so many characters or fewer is no story", "PARSER_MIN_TEXT"
    )
    homepage_rule: HomepageRule = option(
        HomepageRule.STRICT,
        "what is taken for a homepage: strict, mcmetadata (any short path) or off",
        "PARSER_HOMEPAGE_RULE",
    )
    page_seconds: float = option(
        30.0, "seconds after which extraction of a page is given up", "PARSER_PAGE_SECONDS"
    )
    page_megabytes: int = option(
        1024, "megabytes that extraction of a page may take", "PARSER_PAGE_MEGABYTES"
    )


class Parser(Worker[Story]):
    """Decodes a page and extracts what it says. Thread-safe: each thread has its own process."""

    name = "parser"
    takes = Story

    def __init__(self, options: ParserOptions) -> None:
        self._min_text = options.min_text
        self._homepage_rule = options.homepage_rule
        self._skip = options.skip_domains
        self._stamps = Stamps()
        if options.page_megabytes < LEAST_MEGABYTES:
            raise ConfigurationError(f"--page-megabytes: {LEAST_MEGABYTES} at least")
        self._extractor = Extractor(
            Limits(seconds=options.page_seconds, megabytes=options.page_megabytes)
        )

    def process(self, story: Story) -> Result[Story]:
        """The story with its content metadata, or why it is none."""
        page = self._page(story)
        found = self._extractor.extract(page)
        if page.url == NEED_CANONICAL_URL:
            check_url(found.metadata.url, self._skip)
            story.http_metadata.final_url = found.metadata.url
        self._fill(story, page, found)
        return Done([story], f"OK-{found.metadata.text_extraction_method}")

    def close(self) -> None:
        self._extractor.close()

    def _page(self, story: Story) -> Page:
        http, html = story.http_metadata, story.raw_html.html
        if not html:
            raise Discard("no-html")
        if not http.final_url:
            raise Quarantine("no-url", "http_metadata has no final_url")
        return Page(
            url=http.final_url,
            html=html,
            http_charset=http.encoding,
            known_charset=story.raw_html.encoding,
            min_text=self._min_text,
            homepage_rule=self._homepage_rule,
            now=time.time(),
        )

    def _fill(self, story: Story, page: Page, found: Extraction) -> None:
        story.content_metadata = found.metadata
        story.content_metadata.parsed_date = self._stamps.next()
        story.raw_html.html = page.html[found.bom :]
        story.raw_html.encoding = found.encoding


def main(arguments: Sequence[str] | None = None) -> int:
    """Be the `parser` program; its exit status."""
    return run_worker(Parser, ParserOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
