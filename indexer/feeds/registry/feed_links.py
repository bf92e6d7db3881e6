"""The feeds that a page names in its head, and where they usually are when it names none.

<link rel="alternate" type="application/rss+xml" title="News" href="/news.rss">
"""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from urllib.parse import urljoin, urlsplit

from indexer.feeds.registry.feed_lists import list_format
from indexer.feeds.registry.feed_spec import NAME_LENGTH, FeedSpec
from indexer.news.syndication.announced import absolute
from indexer.news.syndication.formats import FORMATS
from indexer.news.syndication.markup import Token, TokenKind, attributes, tokens
from indexer.text.cleaning import one_line
from indexer.text.decoding.texts import head_text

HEAD = 1 << 20
"""So many bytes of a page are looked at: its head is among them."""

MAX_FEEDS = 50
"""So many feeds of one page are taken: no page has more for people to choose from."""

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
"""What a link to a feed says that it leads to."""

JSON = "application/json"
"""Also what links to all kinds of data say: only those whose name says so are JSON Feeds."""

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
_UNREAD = ("script", "style", "template", "noscript", "svg")
"""What is in these elements are no links of the page."""

_PAGE = re.compile(r"<(?:!doctype\s+html|html|head|body|meta|title|link)\b", re.IGNORECASE)


class Content(StrEnum):
    """What somebody's file or URL is, as far as feeds are concerned."""

    FEED = "feed"
    LIST = "list"
    PAGE = "page"


def content_of(name: str, head: bytes) -> Content | None:
    """What a file is, by its first bytes, unpacked; None if there are no feeds in it."""
    text = head_text(head).lstrip("\ufeff \t\r\n")
    if text.startswith("{"):
        return Content.FEED if "jsonfeed.org/version/" in text else None
    is_page = text[:14].lower() == "<!doctype html"
    if not is_page:
        if _root(text) in FORMATS:
            return Content.FEED
        if list_format(name, head) is not None:
            return Content.LIST
    return Content.PAGE if is_page or _PAGE.search(text) else None


def named_feeds(url: str, text: str) -> list[FeedSpec]:
    """The feeds that a page names, in its order, each once; `url` is where it was.

    Feeds of comments are left out where there are others. Without a `url` those of relative links
    are not known.
    """
    found: dict[str, FeedSpec] = {}
    for spec in _links(url, text):
        if len(found) < MAX_FEEDS and urlsplit(spec.url).scheme.lower() in ("http", "https"):
            found.setdefault(spec.url, spec)
    articles = [spec for spec in found.values() if not _COMMENTS.search(urlsplit(spec.url).path)]
    return articles or [*found.values()]


def feeds_of_page(url: str, body: bytes) -> list[FeedSpec]:
    """The feeds that a document names that was fetched as one; none if it is no page."""
    head = body[:HEAD]
    return named_feeds(url, head_text(head)) if content_of(url, head) is Content.PAGE else []


def usual_places(url: str) -> list[str]:
    """Where the feeds of a site usually are."""
    return [urljoin(url, path) for path in USUAL_PLACES]


def _root(text: str) -> str:
    """The name of the first element, without its prefix."""
    names = (token.value for token in tokens([text]) if token.kind is TokenKind.START)
    return next(names, "").rpartition(":")[2]


def _links(url: str, text: str) -> Iterator[FeedSpec]:
    base = url
    for token in _read(tokens([text])):
        if token.value not in ("base", "link"):
            continue
        found = attributes(token)
        if token.value == "base":
            # The first counts.
            base = absolute(url, found.get("href", "")) if base == url else base
        elif (href := found.get("href", "").strip()) and _is_feed(found, href):
            yield FeedSpec(absolute(base, href), one_line(found.get("title", ""), NAME_LENGTH))


def _read(found: Iterable[Token]) -> Iterator[Token]:
    """The start tags of a page's head, which ends where its body begins."""
    unread = ""
    for token in found:
        if unread:
            if token.kind is TokenKind.END and token.value == unread:
                unread = ""
        elif token.kind is TokenKind.START:
            if token.value == "body":
                return
            unread = token.value if token.value in _UNREAD else ""
            yield token


def _is_feed(link: dict[str, str], href: str) -> bool:
    relations = link.get("rel", "").lower().split()
    if "feed" in relations:
        return True
    type = link.get("type", "").partition(";")[0].strip().lower()
    if type == JSON:
        return "alternate" in relations and bool(_JSON_FEED.search(urlsplit(href).path))
    return "alternate" in relations and type in TYPES
