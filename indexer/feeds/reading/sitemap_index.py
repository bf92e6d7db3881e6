"""Chooses the sitemaps of an index to fetch: the newest five of its own site (feeds.md 7.1)."""

import codecs
from collections.abc import Iterator
from datetime import UTC, datetime

from indexer.errors import BadFeed
from indexer.feeds.identity.places import domain_of
from indexer.feeds.reading.entry_links import resolved
from indexer.feeds.reading.reading import document, first_bytes
from indexer.http.urls.parts import host_of
from indexer.news.syndication.feed_markup import SITEMAP_INDEX, MarkupFeed
from indexer.text.dates import parse_date
from indexer.text.decoding.documents import document_text

MOST = 5
MAX_LISTED = 50_000
"""Most sitemaps that an index may have, by the protocol of sitemaps."""

_HEAD = 4096
_LONGEST = 2048
_ROOT = "sitemapindex"
_NO_DATE = datetime.min.replace(tzinfo=UTC)


def children(body: bytes, url: str) -> list[str]:
    """Return the URLs of an index's sitemaps, the newest first; none if it is no index."""
    # Every document passes here: one that is no index is not parsed for it.
    if not _may_be_index(first_bytes(body, _HEAD)):
        return []
    try:
        listed = list(_listed(document_text(document(body)).text, url))
    except BadFeed:
        return []
    # The sort is stable: sitemaps without a date keep their order, behind the dated ones.
    listed.sort(key=lambda each: each[1], reverse=True)
    found = dict.fromkeys(child for child, _ in listed if _is_own(child, url))
    return list(found)[:MOST]


def _may_be_index(head: bytes) -> bool:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        head = head.replace(b"\0", b"")
    return _ROOT.encode() in head.lower()


def _listed(text: str, url: str) -> Iterator[tuple[str, datetime]]:
    index = MarkupFeed()
    for count, item in enumerate(index.items([text])):
        if index.format is not SITEMAP_INDEX or count >= MAX_LISTED:
            return
        if item.whole:
            yield resolved(item.text("loc"), url), parse_date(item.text("lastmod")) or _NO_DATE


def _is_own(child: str, url: str) -> bool:
    """Whether a sitemap is of the index's domain, or of its host if that has no domain."""
    if len(child) > _LONGEST or not child.lower().startswith(("http://", "https://")):
        return False
    whose = domain_of if domain_of(url) else host_of
    return child != url and whose(url) is not None and whose(child) == whose(url)
