"""The pages of a benchmark as parsed stories, and as messages of the parser."""

from collections.abc import Iterator, Sequence
from time import time

from benchmarks.measuring.corpus import CorpusPage
from indexer.errors import Disposition
from indexer.stories.extraction.extraction import extract
from indexer.stories.extraction.pages import FetchedPage
from indexer.stories.story import HTTPMetadata, RawHTML, RSSEntry, Story


def parsed(pages: Sequence[CorpusPage]) -> list[Story]:
    """The stories of the pages that are news."""
    return list(_parsed(pages))


def _parsed(pages: Sequence[CorpusPage]) -> Iterator[Story]:
    for page in pages:
        now = time()
        try:
            found = extract(FetchedPage(url=page.url, html=page.html, now=now))
        except Disposition:
            continue
        yield Story(
            rss_entry=RSSEntry(link=page.url, source_feed_id=1, source_source_id=1),
            http_metadata=HTTPMetadata(
                response_code=200, fetch_timestamp=now, final_url=page.url, encoding=found.encoding
            ),
            content_metadata=found.metadata,
            raw_html=RawHTML(html=page.html, encoding=found.encoding),
        )
