"""The format and version of a document in XML, or why it is no feed (feeds.md 7.4)."""

import re

from indexer.errors import BadFeed
from indexer.news.syndication.feed_markup import ATOM, RSS, SITEMAP_INDEX, MarkupFeed
from indexer.text.cleaning import one_line

EMPTY = "Exception('empty')"
HTML = "Exception('html?')"
NO_VERSION = "Exception('no version')"
INDEX = "Exception('index')"
NO_NEWS = "Exception('urlset without google news tags')"

NEWS_SITEMAP = "news sitemap"

_PAGE = frozenset({"html", "head", "body", "frameset"})
_PIECES = frozenset(
    """a b br center div em font form h1 h2 h3 hr i iframe img input li link meta noscript ol p pre
    script section small span strong style svg table tbody td title tr u ul""".split()  # noqa: SIM905 - a list of forty literals is no easier to read
)
"""Elements of web pages that may precede a feed: in warnings of PHP, or in a hoster's banner."""

_DOCTYPE = re.compile(r"<!doctype\s+html", re.IGNORECASE)
_DOCTYPE_WITHIN = 1000
"""Characters searched for a doctype, which may follow comments."""

_RDF_VERSIONS = {
    "purl.org/rss/1.0": "1.0",
    "netscape.com/rdf/simple/0.9": "0.90",
}
_ATOM_0_3 = "purl.org/atom/ns#"
_SITEMAPS = "/sitemap/"
_VERSION_LENGTH = 20


def check_root(feed: MarkupFeed, text: str) -> None:
    """Raise BadFeed if the document has no root of a feed, or has it inside another element."""
    others = [name for name in feed.before if name not in _PIECES]
    # An HTML page may contain <rss> or <feed>, in a code sample for example.
    if "html" in others or (others and others[0] in _PAGE):
        raise BadFeed(HTML, "html")
    if feed.format is None and _is_page(feed, text):
        raise BadFeed(HTML, _first(feed))
    if feed.format is None or feed.root == "channel" or (feed.declared and others):
        raise BadFeed(NO_VERSION, _first(feed))


def _is_page(feed: MarkupFeed, text: str) -> bool:
    """Whether a document without a feed's root looks like a web page, or a fragment of one."""
    if _DOCTYPE.search(text, 0, _DOCTYPE_WITHIN):
        return True
    return not feed.declared and any(name in _PIECES for name in feed.before[:1])


def _first(feed: MarkupFeed) -> str:
    return one_line(next(iter([*feed.before, feed.root])), 100)


def check_items(feed: MarkupFeed, count: int) -> None:
    """Raise BadFeed for a root that is a feed's by name, but not by its items."""
    if feed.format is SITEMAP_INDEX:
        raise BadFeed(INDEX, feed.root)
    if not count and any(name not in _PIECES for name in feed.before):
        raise BadFeed(NO_VERSION, feed.before[0])
    # RDF is also used for data of any other kind.
    if feed.root == "rdf" and not (count or _rdf_version(feed) or feed.head.text("title")):
        raise BadFeed(NO_VERSION, feed.root)
    if feed.root == "urlset" and not _has_news(feed, count):
        raise BadFeed(NO_NEWS if _SITEMAPS in _namespaces(feed) else NO_VERSION, feed.root)


def format_name(feed: MarkupFeed) -> str:
    """Name a format and its version: `rss 2.0`, `rdf 1.0`, `atom 1.0` or `news sitemap`."""
    root = next(feed.head.attributes("root"), {})
    version = one_line(root.get("version", ""), _VERSION_LENGTH)
    if feed.format is ATOM:
        is_old = _ATOM_0_3 in _namespaces(feed) or version == "0.3"
        return "atom 0.3" if is_old else "atom 1.0"
    if feed.format is RSS:
        version = _rdf_version(feed) if feed.root == "rdf" else version
        return f"{feed.root} {version}".strip()
    return NEWS_SITEMAP


def _has_news(feed: MarkupFeed, count: int) -> bool:
    """Whether an element of Google News was seen, or the sitemap is one of news without pages."""
    return feed.has("news") or (not count and "/sitemap-news/" in _namespaces(feed))


def _rdf_version(feed: MarkupFeed) -> str:
    found = _namespaces(feed)
    return next((version for uri, version in _RDF_VERSIONS.items() if uri in found), "")


def _namespaces(feed: MarkupFeed) -> str:
    """The URIs of the namespaces that the root declares, in one text."""
    root = next(feed.head.attributes("root"), {})
    return " ".join(uri for key, uri in root.items() if key.startswith("xmlns")).lower()
