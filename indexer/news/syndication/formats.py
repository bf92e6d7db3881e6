"""Formats of feeds and sitemaps: what an item is called, and which of its elements matter."""

from enum import IntEnum
from typing import NamedTuple


class Role(IntEnum):
    """What an element is to a reader; none for the most part."""

    NONE = 0
    TEXT = 1
    """Its text is a field."""
    NOTED = 2
    """Its attributes matter."""
    BOTH = 3
    PASSED_OVER = 4
    """It holds something else, with fields of the same names."""
    ITEM = 5
    ROOT = 6
    """It holds the items: none goes on after its end."""


class FeedFormat(NamedTuple):
    """What to look for. It is one of a few, told from each other by identity."""

    name: str
    item: str
    roles: dict[str, Role]


def _format(
    name: str, roots: str, item: str, texts: str, noted: str = "", passed_over: str = ""
) -> FeedFormat:
    both = set(texts.split()) & set(noted.split())
    roles = dict.fromkeys(roots.split(), Role.ROOT)
    roles |= dict.fromkeys(texts.split(), Role.TEXT)
    roles |= dict.fromkeys(noted.split(), Role.NOTED)
    roles |= dict.fromkeys(both, Role.BOTH)
    roles |= dict.fromkeys(passed_over.split(), Role.PASSED_OVER)
    return FeedFormat(name, item, roles | {item: Role.ITEM})


_CONTENT = "description content content:encoded summary image"
_DATES = "issued created updated dcterms:issued dc:date dcterms:created"
_PACE = "sy:updateperiod sy:updatefrequency ttl"

RSS = _format(
    "RSS",
    "rss rdf channel",
    "item",
    "link guid title pubdate domain lastbuilddate feedburner:origlink published"
    f" atom:published atom:updated {_DATES} {_PACE}",
    "link atom:link guid source",
    f"{_CONTENT} textinput",
)
ATOM = _format(
    "Atom",
    "feed",
    "entry",
    f"id title published modified feedburner:origlink {_DATES} {_PACE}",
    "link",
    f"{_CONTENT} source",
)
SITEMAP = _format("sitemap", "urlset", "url", "loc news:title news:publication_date news:name")
SITEMAP_INDEX = _format("sitemap index", "sitemapindex", "sitemap", "loc lastmod")

FORMATS = {
    "rss": RSS,
    "rdf": RSS,
    "channel": RSS,
    "feed": ATOM,
    "urlset": SITEMAP,
    "sitemapindex": SITEMAP_INDEX,
}
"""By the root's name, without its prefix."""

NAMESPACES = {
    "google.com/schemas/sitemap-news/0.9": "news",
    "purl.org/dc/elements/1.1": "dc",
    "purl.org/dc/terms": "dcterms",
    "purl.org/rss/1.0/modules/dcterms": "dcterms",
    "purl.org/rss/1.0/modules/syndication": "sy",
    "rssnamespace.org/feedburner/ext/1.0": "feedburner",
    "w3.org/2005/atom": "atom",
    "purl.org/atom/ns": "atom",
    "purl.org/rss/1.0": "",
}
"""The prefixes by which elements are called here; a feed may choose others."""


def prefix_of(uri: str) -> str | None:
    """The prefix of a namespace that matters."""
    plain = uri.strip().lower().removeprefix("http://").removeprefix("https://")
    return NAMESPACES.get(plain.removeprefix("www.").rstrip("/#"))
