"""Formats of feeds and sitemaps: the name of an item, and the elements that are read."""

from enum import IntEnum
from typing import NamedTuple


class Role(IntEnum):
    """The use of an element for a reader; NONE for most elements."""

    NONE = 0
    TEXT = 1
    """The text of the element is a field."""
    NOTED = 2
    """The attributes of the element are kept."""
    BOTH = 3
    TRANSPARENT = 4
    """The children of the element count as children of the element that it is in."""
    ITEM = 5
    ROOT = 6
    """The element holds the items, so its end is the end of an item too."""


class FeedFormat(NamedTuple):
    """A format: the name of its items, and the roles of elements. Compared by identity."""

    name: str
    item: str
    roles: dict[str, Role]


def _format(
    name: str, roots: str, item: str, texts: str, noted: str = "", transparent: str = ""
) -> FeedFormat:
    both = set(texts.split()) & set(noted.split())
    roles = dict.fromkeys(roots.split(), Role.ROOT)
    roles |= dict.fromkeys(texts.split(), Role.TEXT)
    roles |= dict.fromkeys(noted.split(), Role.NOTED)
    roles |= dict.fromkeys(both, Role.BOTH)
    roles |= dict.fromkeys(transparent.split(), Role.TRANSPARENT)
    return FeedFormat(name, item, roles | {item: Role.ITEM})


_TITLES = "title dc:title media:title"
_DATES = "issued created updated dcterms:issued dc:date dcterms:created"
_PACE = "sy:updateperiod sy:updatefrequency ttl"

RSS = _format(
    "RSS",
    "rss rdf channel",
    "item",
    "link guid pubdate domain lastbuilddate feedburner:origlink published atom:published"
    f" atom:updated {_TITLES} {_DATES} {_PACE}",
    "link atom:link guid source",
)
ATOM = _format(
    "Atom",
    "feed",
    "entry",
    f"id published modified feedburner:origlink {_TITLES} {_DATES} {_PACE}",
    "link",
)
SITEMAP = _format(
    "sitemap",
    "urlset",
    "url",
    "loc news:title news:publication_date news:name",
    transparent="news:news news:publication",
)
SITEMAP_INDEX = _format("sitemap index", "sitemapindex", "sitemap", "loc lastmod")

FORMATS = {
    "rss": RSS,
    "rdf": RSS,
    "channel": RSS,
    "feed": ATOM,
    "urlset": SITEMAP,
    "sitemapindex": SITEMAP_INDEX,
}
"""Formats by the name of the root element, without its prefix."""

NAMESPACES = {
    "google.com/schemas/sitemap-news/0.9": "news",
    "purl.org/dc/elements/1.1": "dc",
    "purl.org/dc/elements/1.0": "dc",
    "purl.org/dc/terms": "dcterms",
    "purl.org/rss/1.0/modules/dcterms": "dcterms",
    "purl.org/rss/1.0/modules/syndication": "sy",
    "rssnamespace.org/feedburner/ext/1.0": "feedburner",
    "w3.org/2005/atom": "atom",
    "purl.org/atom/ns": "atom",
    "search.yahoo.com/mrss": "media",
    "rssboard.org/media-rss": "media",
    "purl.org/rss/1.0": "",
    "my.netscape.com/rdf/simple/0.9": "",
    "backend.userland.com/rss2": "",
}
"""The prefixes of namespaces in this package; a feed may use other prefixes."""


def prefix_of(uri: str) -> str | None:
    """The prefix of a namespace; None for a namespace that is not read."""
    plain = uri.strip().lower().removeprefix("http://").removeprefix("https://")
    return NAMESPACES.get(plain.removeprefix("www.").rstrip("/#"))
