"""Recognises the kind of an input by its first bytes; its name only settles doubts."""

import re
import shlex
from enum import StrEnum

from indexer.news.syndication import markup
from indexer.text.decoding.texts import head_text
from indexer.text.tables.columns import EXPORT, Columns, is_spreadsheet, layout, sample_of
from indexer.text.tables.rows import WHOLE_LINE

FEED_ROOTS = frozenset({"rss", "rdf", "channel", "feed"})
SITEMAP_ROOTS = frozenset({"urlset", "sitemapindex"})
"""Root elements, without namespace prefix."""

DOCTYPE_WITHIN = 128
"""The number of first characters that are searched for a doctype."""

_DOCTYPE = re.compile(r"<!doctype\s+(?!rss|feed|rdf)", re.IGNORECASE)

OPML = "opml"
PAGE_TAGS = frozenset({"html", "head", "body", "meta", "title"})
_JSON_FEED = "jsonfeed.org/version/"


class InputKind(StrEnum):
    """The kind of an input."""

    FEED = "feed"
    """RSS, RDF, Atom or JSON Feed."""
    SITEMAP = "sitemap"
    """A sitemap, with news or without, or an index of sitemaps."""
    CSV = "csv"
    URLS = "urls"
    OPML = "opml"
    """A list of feeds."""
    PAGE = "page"
    WARC = "warc"
    EMPTY = "empty"
    UNKNOWN = "unknown"


_KINDS = (
    dict.fromkeys(FEED_ROOTS, InputKind.FEED)
    | dict.fromkeys(SITEMAP_ROOTS, InputKind.SITEMAP)
    | dict.fromkeys(PAGE_TAGS, InputKind.PAGE)
    | {OPML: InputKind.OPML}
)

COLUMNS = Columns({"url": ("url", "link", "story_url", "article_url", "uri", "href", "loc")})
"""The columns that are read of a table of URLs."""


def kind_of(name: str, head: bytes, columns: Columns = COLUMNS) -> InputKind:
    """The kind of a file, by its first bytes, unpacked; 64 KiB are enough."""
    if head.startswith(b"WARC/"):
        return InputKind.WARC
    if not head.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        return InputKind.EMPTY
    text = head_text(head).lstrip()
    if text.startswith("{"):
        return InputKind.FEED if _JSON_FEED in text else InputKind.UNKNOWN
    if text.startswith("<"):
        return _kind_of_markup(text)
    # Some feeds are made by scripts whose warnings come first, so text may precede the markup.
    return _kind_of_table(name, head, columns) or _kind_of_markup(text)


def refusal(name: str, kind: InputKind, head: bytes, columns: Columns = COLUMNS) -> str:
    """Why no queuer reads an input of this kind, and what does."""
    if kind is InputKind.EMPTY:
        return f"{name} is empty"
    if kind is InputKind.OPML:
        return list_of_feeds(name)
    if is_spreadsheet(head):
        return f"{name} is {EXPORT}"
    if kind is InputKind.UNKNOWN and (why := columns.complaint(sample_of(head))):
        return f"{name}: {why}"
    return f"{name} is neither a feed, a sitemap, a CSV nor a list of URLs"


def list_of_feeds(name: str) -> str:
    """Why no queuer reads a list of feeds, and what to type for it."""
    file = shlex.quote(name)
    return (
        f"{name} is a list of feeds: `story-indexer follow {file}` polls them and indexes their "
        f"stories, `story-indexer feeds import {file}` only stores them"
    )


def _kind_of_markup(text: str) -> InputKind:
    if text[:14].lower() == "<!doctype html":
        return InputKind.PAGE
    for token in markup.tokens([text]):
        if token.kind is markup.TokenKind.START:
            kind = _KINDS.get(token.value.rpartition(":")[2])
            # With an XML declaration, the first tag is the root; else a warning may have tags.
            if kind or text.startswith("<?xml"):
                return kind or InputKind.UNKNOWN
    return InputKind.UNKNOWN


def _kind_of_table(name: str, head: bytes, columns: Columns) -> InputKind | None:
    found = layout(name, sample_of(head), columns)
    if found is None:
        return None
    return InputKind.URLS if found.delimiter == WHOLE_LINE else InputKind.CSV


def is_feed(text: str) -> bool:
    """Whether a page is a feed or sitemap: its first tag is one's, and no doctype declares a page.

    This must be cheap: such documents have kept extractors busy for an hour (stories.md 7.1).
    """
    if _DOCTYPE.search(text, 0, DOCTYPE_WITHIN):
        return False
    tags = (found.value for found in markup.tokens([text]) if found.kind is markup.TokenKind.START)
    # The end only: a namespace prefix may come first, as in `rdf:RDF`.
    return next(tags, "").endswith((*FEED_ROOTS, *SITEMAP_ROOTS))
