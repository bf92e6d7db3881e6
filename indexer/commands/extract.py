"""`story-indexer extract`: the fields that the parser extracts from a page."""

import json
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from indexer.commands.console.parameters import with_options
from indexer.errors import AddressRefused, BadResponse, Discard, InputError, TooLarge
from indexer.http.fetching import Client, FetchOptions
from indexer.http.urls.addresses import LOOPBACK, PRIVATE, SHARED
from indexer.news.normalized_urls import unique_url_hash
from indexer.stories.extraction.dates import Stamps
from indexer.stories.extraction.extractor import Extraction, Extractor, FetchedPage
from indexer.stories.story import NEED_CANONICAL_URL
from indexer.system.options import Options, option

ALLOWED = (PRIVATE, LOOPBACK, SHARED)
"""The kinds of addresses that --allow-private allows."""

TEXT_SHOWN = 600
"""Characters of the text that are shown without --full."""


class ExtractOptions(Options):
    """Options of `extract`."""

    url: str = option("", "The URL of the page in a file; default: the URL that it declares.")
    json_: bool = option(False, "Print one JSON object.")
    full: bool = option(False, "Show the whole text.")
    allow_private: bool = option(False, "Also visit addresses of this machine or network.")


@with_options
def extract(
    source: Annotated[
        str, typer.Argument(help="A file, a URL, or - for standard input.", metavar="FILE|URL")
    ],
    options: ExtractOptions,
) -> None:
    """Show the fields that the parser extracts from a page, its encoding, and the extractor.

    For a page that is no story it prints why, with status 1.

    Examples:

        story-indexer extract https://site.example/news/1

        story-indexer extract page.html --url https://site.example/news/1 --json | jq .language
    """
    fetch = FetchOptions(allow_private=True) if options.allow_private else FetchOptions()
    is_url = source.lower().startswith(("http://", "https://"))
    page = _fetched(source, fetch) if is_url else _read(source, options.url, fetch)
    found = _extracted(page)
    if options.json_:
        print(json.dumps(_fields(found), ensure_ascii=False, indent=2))
    else:
        Console().print(_table(found, full=options.full))


def _fetched(url: str, options: FetchOptions) -> FetchedPage:
    try:
        response = Client(options).get(url)
    except AddressRefused as error:
        # Link-local addresses, of cloud metadata for one, are refused even with --allow-private.
        if options.allow_private or not any(f"({kind})" in str(error) for kind in ALLOWED):
            raise
        raise AddressRefused(f"{error}: --allow-private allows it") from error
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


def _extracted(page: FetchedPage) -> Extraction:
    extractor = Extractor()
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


def _fields(found: Extraction) -> dict[str, Any]:
    """Return the metadata, the id in the index, and how the page was decoded."""
    return {
        **msgspec.structs.asdict(found.metadata),
        "document_id": unique_url_hash(found.metadata.url or ""),
        "encoding": found.encoding,
        "encoding_from": found.rung,
    }


def _table(found: Extraction, *, full: bool) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in _fields(found).items():
        text = "" if value is None else str(value)
        if name == "text_content" and not full and len(text) > TEXT_SHOWN:
            text = f"{text[:TEXT_SHOWN]}… ({len(text)} characters: --full shows all)"
        table.add_row(name, Text(_printable(text)))
    return table


def _printable(text: str) -> str:
    """Remove control characters: a terminal would obey them."""
    return "".join(char for char in text if char.isprintable() or char in "\n\t")
