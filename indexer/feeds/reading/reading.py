"""Reads the entries of a document: RSS, RDF, Atom, JSON Feed or a news sitemap (feeds.md 7).

    part → unpacked → text → root → items → entries
                            └ no item with a link: feedparser, in a sandbox

Time and memory are linear in the size of the document: no entity is expanded, nothing is fetched,
and what is kept is bounded. So there is no time limit: the largest document takes seconds. Only
feedparser has limits of its own, of time and memory. An item that can't be read is left out; the
others are not affected.

Bodies that are gzip by their first bytes are unpacked: `.xml.gz` comes without Content-Encoding.
"""

import io
import re
from collections.abc import Sequence
from datetime import datetime

from indexer.errors import BadFeed, InputError
from indexer.feeds.attempt import DocumentPart
from indexer.feeds.reading.document_kinds import EMPTY, INDEX, NEWS_SITEMAP, NO_VERSION
from indexer.feeds.reading.entry import DocumentReading
from indexer.feeds.reading.json_reading import read_json
from indexer.feeds.reading.markup_reading import read_markup
from indexer.feeds.reading.second_reading import read_again
from indexer.news.syndication.second_reader import SecondReader
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
    second: SecondReader | None = None,
) -> DocumentReading:
    """Read a document, or all sitemaps of an index as one document.

    `url` is the feed's, for pages without a URL of their own. `second` reads the documents in which
    our reader finds no item with a link. Raises BadFeed if no page is a feed.
    """
    readings: list[DocumentReading] = []
    failures: list[tuple[DocumentPart, BadFeed]] = []
    for page, part in zip(pages, parts, strict=False):
        try:
            readings.append(_read(_text(part, page, max_bytes), page.url or url, now, second))
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


def _text(part: bytes, page: DocumentPart, max_bytes: int) -> str:
    """The text of a part, without what precedes its first character. Raises BadFeed."""
    text = document_text(document(part, max_bytes), page.charset).text
    begin = _SOMETHING.search(text)
    if begin is None:
        raise BadFeed(EMPTY)
    return text[begin.start() :] if begin[0] == "{" else text


def _read(text: str, url: str, now: datetime, second: SecondReader | None) -> DocumentReading:
    if text.startswith("{"):
        return read_json(text, url, now)
    try:
        found = read_markup(text, url, now)
    except BadFeed as error:
        # Web pages are no feeds for feedparser either, and a text without a root is none at all.
        if second and error.detail == NO_VERSION and error.root:
            why = f"our reader does not know the format of <{error.root}>"
            if again := read_again(second, text, url, now, why):
                return again
        raise
    if second is None or found.format == NEWS_SITEMAP or any(each.link for each in found.entries):
        return found
    return read_again(second, text, url, now, "our reader finds no item with a link") or found


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
