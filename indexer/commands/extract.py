"""`story-indexer extract`: what the parser would make of a page."""

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

from indexer.errors import AddressRefused, BadResponse, Discard, InputError, TooLarge
from indexer.http.fetching import Client, FetchOptions
from indexer.http.urls.addresses import LOOPBACK, PRIVATE, SHARED
from indexer.news.ids import unique_url_hash
from indexer.stories.extraction.dates import Stamps
from indexer.stories.extraction.extractor import Extractor
from indexer.stories.extraction.page import Extraction, FetchedPage
from indexer.stories.story import NEED_CANONICAL_URL

ALLOWED = (PRIVATE, LOOPBACK, SHARED)
"""The kinds of addresses that --allow-private is about."""

TEXT_SHOWN = 600
"""Characters of the text that are shown without --full."""


def extract(
    source: Annotated[
        str, typer.Argument(help="A file, a URL, or - for standard input.", metavar="FILE|URL")
    ],
    url: Annotated[
        str,
        typer.Option(help="The URL of a file's page; else the one that the page declares."),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One object of JSON.")] = False,
    full: Annotated[bool, typer.Option("--full", help="All of the text.")] = False,
    allow_private: Annotated[
        bool,
        typer.Option("--allow-private", help="Also from an address of this machine or network."),
    ] = False,
) -> None:
    """Show what the parser would make of a page: every field, the encoding, the extractor.

    A page that is no story is an error that says why, status 1.

    Examples:

        story-indexer extract https://site.example/news/1

        story-indexer extract page.html --url https://site.example/news/1 --json | jq .language
    """
    options = FetchOptions(allow_private=True) if allow_private else FetchOptions()
    page = _fetched(source, options) if _is_url(source) else _read(source, url, options)
    found = _extracted(page)
    if as_json:
        print(json.dumps(_fields(found), ensure_ascii=False, indent=2))
    else:
        Console().print(_table(found, full=full))


def _is_url(source: str) -> bool:
    return source.lower().startswith(("http://", "https://"))


def _fetched(url: str, options: FetchOptions) -> FetchedPage:
    try:
        response = Client(options).get(url)
    except AddressRefused as error:
        # Link-local addresses and the like are refused with it too.
        if options.allow_private or not any(f"({kind})" in str(error) for kind in ALLOWED):
            raise
        raise AddressRefused(f"{error}: --allow-private visits it all the same") from error
    if not response.body:
        raise BadResponse(f"{response.url}: HTTP {response.status}, no page")
    return FetchedPage(
        url=response.url, html=response.body, http_charset=response.charset, now=time.time()
    )


def _read(name: str, url: str, options: FetchOptions) -> FetchedPage:
    limit = options.max_html_bytes
    try:
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
    found.metadata.parsed_date = Stamps().next()
    if page.url == NEED_CANONICAL_URL:
        found.metadata.original_url = found.metadata.url
    return found


def _fields(found: Extraction) -> dict[str, Any]:
    """What is shown: the metadata, the id it would be indexed by, and how it was decoded."""
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
    """Nothing that a terminal would obey."""
    return "".join(char for char in text if char.isprintable() or char in "\n\t")
