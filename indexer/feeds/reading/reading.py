"""From the bytes of a document to its entries: RSS, RDF, Atom, JSON Feed, news sitemaps.

    part → unpacked → text → root → items → Entry        (feeds.md 7)

All of it is linear in the size of the document, and takes a few times its memory: there is
nothing to expand or to fetch, and what is kept is bounded. So a document has no time limit: the
largest that is fetched takes seconds. An item that can't be read costs itself.
"""

import re
from collections.abc import Sequence
from datetime import datetime

from indexer.errors import BadFeed
from indexer.feeds.attempt import DocumentPart
from indexer.feeds.reading.document_kinds import EMPTY, INDEX
from indexer.feeds.reading.json_reading import read_json
from indexer.feeds.reading.markup_reading import read_markup
from indexer.feeds.reading.result import DocumentReading
from indexer.feeds.reading.sitemap_index import children
from indexer.feeds.reading.unpacking import MAX_BYTES, document
from indexer.text.decoding.documents import document_text

__all__ = ["DocumentReading", "children", "read"]

_SOMETHING = re.compile(r"[^\s\ufeff]")


def read(
    pages: Sequence[DocumentPart],
    parts: Sequence[bytes],
    url: str,
    now: datetime,
    max_bytes: int = MAX_BYTES,
) -> DocumentReading:
    """What a document says, or the sitemaps that it is an index of, together.

    `url` is the feed's: what a page's own doesn't tell. Raises BadFeed if nothing is a feed.
    """
    readings: list[DocumentReading] = []
    failures: list[tuple[DocumentPart, BadFeed]] = []
    for page, part in zip(pages, parts, strict=False):
        try:
            readings.append(_read(part, page.charset, page.url or url, now, max_bytes))
        except BadFeed as error:
            failures.append((page, error))
    if not readings:
        raise failures[-1][1] if failures else BadFeed(EMPTY)
    warnings = [f"{page.url}: {error}" for page, error in failures if error.detail != INDEX]
    return _together(readings, warnings)


def _together(readings: list[DocumentReading], warnings: list[str]) -> DocumentReading:
    all_of_it = readings[0]
    for reading in readings[1:]:
        all_of_it.entries += reading.entries
        all_of_it.warnings += reading.warnings
        all_of_it.title = all_of_it.title or reading.title
    all_of_it.warnings += warnings
    return all_of_it


def _read(
    part: bytes, charset: str | None, url: str, now: datetime, max_bytes: int
) -> DocumentReading:
    text = document_text(document(part, max_bytes), charset).text
    begin = _SOMETHING.search(text)
    if begin is None:
        raise BadFeed(EMPTY)
    if begin[0] == "{":
        return read_json(text[begin.start() :], url, now)
    return read_markup(text, url, now)
