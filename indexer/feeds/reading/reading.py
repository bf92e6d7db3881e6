"""Reads the entries of a document: RSS, RDF, Atom, JSON Feed or a news sitemap (feeds.md 7).

    part → unpacked → text → root → items → entries

Time and memory are linear in the size of the document: no entity is expanded, nothing is fetched,
and what is kept is bounded. So there is no time limit: the largest document takes seconds. An
item that can't be read is left out; the others are not affected.

Bodies that are gzip by their first bytes are unpacked: `.xml.gz` comes without Content-Encoding.
"""

import io
import re
from collections.abc import Sequence
from datetime import datetime

from indexer.errors import BadFeed, InputError
from indexer.feeds.attempt import DocumentPart
from indexer.feeds.reading.document_kinds import EMPTY, INDEX
from indexer.feeds.reading.entry import DocumentReading
from indexer.feeds.reading.json_reading import read_json
from indexer.feeds.reading.markup_reading import read_markup
from indexer.text.cleaning import one_line
from indexer.text.decoding.documents import document_text
from indexer.text.unpacking import GZIP, head_of, unpacked

MAX_BYTES = 50_000_000
"""The largest size of a sitemap, by the protocol of sitemaps."""

_SOMETHING = re.compile(r"[^\s\ufeff]")


def read(
    pages: Sequence[DocumentPart],
    parts: Sequence[bytes],
    url: str,
    now: datetime,
    max_bytes: int = MAX_BYTES,
) -> DocumentReading:
    """Read a document, or all sitemaps of an index as one document.

    `url` is the feed's, for pages without a URL of their own. Raises BadFeed if no page is a feed.
    """
    readings: list[DocumentReading] = []
    failures: list[tuple[DocumentPart, BadFeed]] = []
    for page, part in zip(pages, parts, strict=False):
        try:
            readings.append(_read(part, page.charset, page.url or url, now, max_bytes))
        except BadFeed as error:
            failures.append((page, error))
    if not readings:
        # The first page of several is the index itself: the last one says more.
        raise failures[-1][1] if failures else BadFeed(EMPTY)
    warnings = [f"{page.url}: {error}" for page, error in failures if error.detail != INDEX]
    whole, *others = readings
    for reading in others:
        whole.entries += reading.entries
        whole.warnings += reading.warnings
        whole.title = whole.title or reading.title
    whole.warnings += warnings
    return whole


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


def document(body: bytes, limit: int = MAX_BYTES) -> bytes:
    """Unpack a body. Raises BadFeed if it is cut off, damaged, or unpacks to over `limit` bytes."""
    if not body.startswith(GZIP):
        return body
    try:
        with unpacked("body", io.BytesIO(body), limit) as file:
            return file.read()
    except InputError as error:
        raise BadFeed(f"Exception('gzip: {one_line(str(error))}')") from error


def first_bytes(body: bytes, size: int) -> bytes:
    """Return the first bytes of the unpacked body; none if it can't be unpacked."""
    if not body.startswith(GZIP):
        return body[:size]
    try:
        with unpacked("body", io.BytesIO(body), MAX_BYTES) as file:
            return head_of(file, size)
    except InputError:
        return b""
