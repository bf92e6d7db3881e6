"""Finds the feeds that a web page links to in its head, and the usual paths of others.

<link rel="alternate" type="application/rss+xml" title="News" href="/news.rss">
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from urllib.parse import urljoin, urlsplit

from indexer.feeds.registry.feed_lists import FEED_COLUMNS, list_format
from indexer.feeds.registry.feed_spec import NAME_LENGTH, FeedSpec
from indexer.news.syndication.announced import absolute
from indexer.news.syndication.formats import FORMATS
from indexer.news.syndication.markup import TokenKind, attributes, head_tags, tokens
from indexer.text.cleaning import one_line
from indexer.text.decoding.texts import head_text
from indexer.text.tables.columns import Columns

HEAD = 1 << 20
"""Bytes of a page that are read for links."""

MAX_FEEDS = 50
"""Most feeds taken from one page."""

TYPES = frozenset(
    {
        "application/rss+xml",
        "application/atom+xml",
        "application/rdf+xml",
        "application/feed+json",
        "application/xml",
        "text/xml",
    }
)
"""Types of links to feeds."""

JSON = "application/json"
"""The type of links to any data: a JSON Feed is recognised by its path."""

USUAL_PLACES = (
    "/feed",
    "/rss",
    "/rss.xml",
    "/feed.xml",
    "/atom.xml",
    "/index.xml",
    "/feed.json",
)

_JSON_FEED = re.compile(r"(?:feed\.json|/feed/json/?|\.jsonfeed)$", re.IGNORECASE)
_COMMENTS = re.compile(r"/comments(?:/|$)", re.IGNORECASE)

_PAGE = re.compile(r"<(?:!doctype\s+html|html|head|body|meta|title|link)\b", re.IGNORECASE)


class Content(StrEnum):
    """Kinds of files and URLs in which feeds are found."""

    FEED = "feed"
    LIST = "list"
    PAGE = "page"


def content_of(name: str, head: bytes, columns: Columns = FEED_COLUMNS) -> Content | None:
    """Tell the kind of a file by its first bytes, unpacked; None if it can't have feeds."""
    text = head_text(head).lstrip("\ufeff \t\r\n")
    if text.startswith("{"):
        # The specification requires this URL in every JSON Feed.
        return Content.FEED if "jsonfeed.org/version/" in text else None
    # Pages may have a feed's elements in them, so the doctype is tested first.
    is_page = text[:14].lower() == "<!doctype html"
    if not is_page:
        if _root(text) in FORMATS:
            return Content.FEED
        if list_format(name, head, columns) is not None:
            return Content.LIST
    return Content.PAGE if is_page or _PAGE.search(text) else None


def named_feeds(url: str, text: str) -> list[FeedSpec]:
    """Return the feeds that a page at `url` links to, in its order, each once.

    Feeds of comments are left out if there are others. Without a `url`, so are relative links.
    """
    found: dict[str, FeedSpec] = {}
    for spec in _links(url, text):
        if len(found) < MAX_FEEDS and urlsplit(spec.url).scheme.lower() in ("http", "https"):
            found.setdefault(spec.url, spec)
    articles = [spec for spec in found.values() if not _COMMENTS.search(urlsplit(spec.url).path)]
    return articles or [*found.values()]


def feeds_of_page(url: str, body: bytes) -> list[FeedSpec]:
    """Return the feeds that a web page links to, if one was fetched in place of a feed."""
    head = body[:HEAD]
    return named_feeds(url, head_text(head)) if content_of(url, head) is Content.PAGE else []


def usual_places(url: str) -> list[str]:
    """Return the URLs at which sites usually have their feeds."""
    return [urljoin(url, path) for path in USUAL_PLACES]


def _root(text: str) -> str:
    """Return the name of the first element, without its prefix."""
    names = (token.value for token in tokens([text]) if token.kind is TokenKind.START)
    return next(names, "").rpartition(":")[2]


def _links(url: str, text: str) -> Iterator[FeedSpec]:
    base = url
    for token in head_tags(text):
        if token.value not in ("base", "link"):
            continue
        found = attributes(token)
        if token.value == "base":
            # HTML: the first <base> counts.
            base = absolute(url, found.get("href", "")) if base == url else base
        elif (href := found.get("href", "").strip()) and _is_feed(found, href):
            yield FeedSpec(absolute(base, href), one_line(found.get("title", ""), NAME_LENGTH))


def _is_feed(link: dict[str, str], href: str) -> bool:
    relations = link.get("rel", "").lower().split()
    if "feed" in relations:
        return True
    type = link.get("type", "").partition(";")[0].strip().lower()
    if type == JSON:
        return "alternate" in relations and bool(_JSON_FEED.search(urlsplit(href).path))
    return "alternate" in relations and type in TYPES
