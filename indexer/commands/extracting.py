"""Extraction of one page for a person: fetched or read, extracted as the parser does, shown."""

import sys
import time
from pathlib import Path
from typing import Any

import msgspec
from rich.table import Table
from rich.text import Text

from indexer.errors import AddressRefused, BadResponse, Discard, InputError, TooLarge
from indexer.http.fetching import FetchOptions
from indexer.http.fetching.client import Client
from indexer.http.urls.addresses import with_option
from indexer.news.normalized_urls import unique_url_hash
from indexer.stories.extraction.dates import Stamps
from indexer.stories.extraction.explaining import Explanation, explained
from indexer.stories.extraction.extractor import Extractor
from indexer.stories.extraction.pages import Extraction, FetchedPage
from indexer.stories.story import NEED_CANONICAL_URL
from indexer.system.escaping import escaped
from indexer.system.options import environment
from indexer.system.sandbox import SandboxLimits
from workers.stories.parser import ParserOptions

TEXT_SHOWN = 600
"""Characters of the text that are shown without --full."""

BLOCK_SHOWN = 60
"""Characters of a block that --explain shows without --full."""


def extracted(source: str, url: str, *, allow_private: bool) -> Extraction:
    """Return the values of a page: of a URL, a file, or standard input, whose URL is `url`.

    Raises Discard for a page that is no story, InputError, FetchError, ConfigurationError.
    """
    page, parser = _page(source, url, allow_private=allow_private)
    return _extracted(page, limits_of(parser))


def explanation(source: str, url: str, *, allow_private: bool) -> Explanation:
    """Return how the text of a page is found; `source` and errors are those of `extracted`."""
    page, parser = _page(source, url, allow_private=allow_private)
    return explained(page, limits_of(parser))


def limits_of(parser: ParserOptions) -> SandboxLimits:
    """Return the limits of the parser's sandbox."""
    return SandboxLimits(parser.page_seconds, parser.page_megabytes)


def _page(source: str, url: str, *, allow_private: bool) -> tuple[FetchedPage, ParserOptions]:
    given = environment() | ({"FETCHER_ALLOW_PRIVATE": "true"} if allow_private else {})
    fetch, parser = FetchOptions.of(given), ParserOptions.of(given)
    is_url = source.lower().startswith(("http://", "https://"))
    page = _fetched(source, fetch) if is_url else _read(source, url, fetch)
    page.min_text, page.homepage_rule = parser.min_text, parser.homepage_rule
    return page, parser


def _fetched(url: str, options: FetchOptions) -> FetchedPage:
    try:
        with Client(options) as client:
            response = client.get(url)
    except AddressRefused as error:
        raise AddressRefused(with_option(str(error))) from error
    if not response.body:
        raise BadResponse(f"{response.url}: HTTP {response.status}, no page")
    return FetchedPage(
        url=response.url, html=response.body, http_charset=response.charset, now=time.time()
    )


def _read(name: str, url: str, options: FetchOptions) -> FetchedPage:
    limit = options.max_html_bytes
    try:
        # One byte more than allowed: enough to see that the page is too large.
        if name == "-":
            html = sys.stdin.buffer.read(limit + 1)
        else:
            with Path(name).open("rb") as file:
                html = file.read(limit + 1)
    except OSError as error:
        raise InputError(f"can't read {name}: {error.strerror or error}") from error
    if len(html) > limit:
        raise TooLarge(f"{name}: more than {limit} bytes")
    return FetchedPage(url=url or NEED_CANONICAL_URL, html=html, now=time.time())


def _extracted(page: FetchedPage, limits: SandboxLimits) -> Extraction:
    extractor = Extractor(limits)
    try:
        found = extractor.extract(page)
    except Discard as error:
        if error.status == "no-canonical-url":
            raise InputError(f"{error.why}: give its URL with --url") from error
        raise
    finally:
        extractor.close()
    # As in the pipeline, where the parser sets it.
    found.metadata.parsed_date = Stamps().next()
    if page.url == NEED_CANONICAL_URL:
        found.metadata.original_url = found.metadata.url
    return found


def fields(found: Extraction) -> dict[str, Any]:
    """Return the metadata, the id in the index, and how the page was decoded."""
    return {
        **msgspec.structs.asdict(found.metadata),
        "document_id": unique_url_hash(found.metadata.url or ""),
        "encoding": found.encoding,
        "encoding_from": found.rung,
    }


def table(found: Extraction, *, full: bool) -> Table:
    shown = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    shown.add_column(style="bold", no_wrap=True)
    shown.add_column(overflow="fold")
    for name, value in fields(found).items():
        text = "" if value is None else str(value)
        if name == "text_content" and not full and len(text) > TEXT_SHOWN:
            text = f"{text[:TEXT_SHOWN]}… ({len(text)} characters: --full shows all)"
        shown.add_row(name, Text(escaped(text)))
    return shown


def explanation_tables(found: Explanation, *, full: bool) -> list[Table | Text]:
    """Return the doubts, the candidates and the blocks, for a person."""
    length = None if full else BLOCK_SHOWN
    candidates = _table("candidate", "element", "blocks", "hint", "good", "junk", "score")
    for each in found.candidates:
        blocks = f"{each.first}-{each.end - 1}"
        numbers = (blocks, each.hint, each.good, each.junk, round(each.score))
        candidates.add_row(each.role, Text(escaped(each.element)), *map(str, numbers))
    blocks_ = _table("block", "kind", "bytes", "links", "good", "fate", "text")
    for block in found.blocks:
        good = "good" if block.is_good else ""
        line = Text(escaped(block.text.replace("\n", " ")[:length]))
        weights = (str(block.weight), str(block.links))
        fate = Text(escaped(block.fate))
        blocks_.add_row(str(block.number), block.kind, *weights, good, fate, line)
    doubts = "; ".join(found.doubts) or "none"
    return [Text(f"doubts: {escaped(doubts)}\n"), candidates, Text(), blocks_]


def _table(*headings: str) -> Table:
    shown = Table(*headings, box=None, padding=(0, 2, 0, 0))
    for column in shown.columns:
        column.overflow = "fold"
    return shown
