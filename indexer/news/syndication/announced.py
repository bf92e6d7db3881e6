"""The common fields of an item, whatever the format of its feed."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from urllib.parse import urljoin

from indexer.news.syndication.feed_markup import ATOM, RSS, FeedFormat, MarkupItem
from indexer.news.syndication.markup import unescape
from indexer.text.cleaning import clean

TITLES = ("title", "dc:title", "media:title")
"""The elements that may have an item's title, the best first."""

DATES = {
    "pubdate": "pubDate",
    "published": "published",
    "atom:published": "published",
    "issued": "issued",
    "dcterms:issued": "dcterms:issued",
    "news:publication_date": "news:publication_date",
    "dc:date": "dc:date",
    "created": "created",
    "dcterms:created": "dcterms:created",
    "updated": "updated",
    "atom:updated": "updated",
    "modified": "modified",
}
"""The elements with the date of an item, the most trusted first, and the name of each for people.

Dates of publication come before dates of creation, and dates of change last.
"""

ALTERNATE = "alternate"
PAGE_TYPES = ("", "text/html", "application/xhtml+xml")

_ABSOLUTE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_WEB = re.compile(r"https?://", re.IGNORECASE)
_BREAKS = re.compile(r"[\t\r\n]+")


class Announced(NamedTuple):
    """The fields of an item, unchanged. Links may be relative to `base`."""

    link: str
    title: str = ""
    date: str = ""
    base: str = ""
    domain: str = ""
    source_url: str = ""
    feed_id: str = ""
    source_id: str = ""


def announced(format: FeedFormat, item: MarkupItem) -> Announced:
    """The common fields of an item of a format."""
    if format is ATOM:
        return _atom(item)
    if format is RSS:
        return _rss(item)
    return Announced(item.text("loc"), item.text("news:title"), item.text("news:publication_date"))


def _rss(item: MarkupItem) -> Announced:
    source = next(item.attributes("source"), {})
    return Announced(
        link=item.text("link")
        or next(alternates(item, "atom:link", "link"), "")
        or _permalink(item),
        title=item.text(*TITLES),
        date=item.text(*DATES),
        base=_xml_base(item, RSS),
        domain=item.text("domain"),
        source_url=source.get("url", ""),
        feed_id=source.get("mcfeedid", ""),
        source_id=source.get("mcsourceid", ""),
    )


def _atom(item: MarkupItem) -> Announced:
    return Announced(
        link=next(alternates(item, "link"), "") or web(item.text("id")),
        title=item.text(*TITLES),
        date=item.text(*DATES),
        base=_xml_base(item, ATOM),
    )


def alternates(item: MarkupItem, *names: str) -> Iterator[str]:
    """The targets of Atom's links to the story itself, not to its comments or its audio file.

    Of several the first is a page in the item's language: others are feeds of its comments,
    oEmbed's JSON, translations, pages for phones (RFC 4287, 4.2.7).
    """
    found = [link for name, link in item.elements if name in names and _is_alternate(link)]
    if len(found) > 1:
        own = next(item.attributes("entry"), {}).get("xml:lang") or item.language
        found.sort(key=lambda link: _distance(link, own))
    for link in found:
        yield absolute(link.get("xml:base", ""), link["href"])


def _is_alternate(link: Mapping[str, str]) -> bool:
    # A relation may be written as its URL in IANA's registry.
    rel = link.get("rel", ALTERNATE).strip().lower()
    return bool(link.get("href")) and rel.rpartition("/")[2] == ALTERNATE


def _distance(link: Mapping[str, str], language: str) -> tuple[bool, bool, bool]:
    """What a link leads to, compared with others: the lowest is the story's own page."""
    type = link.get("type", "").partition(";")[0].strip().lower()
    translation = _primary(link.get("hreflang", "")) not in ("", _primary(language))
    return type not in PAGE_TYPES, "media" in link, translation


def _primary(language: str) -> str:
    """The language of a tag without its region: `en` of `en-GB`."""
    return language.strip().lower().partition("-")[0]


def _permalink(item: MarkupItem) -> str:
    """The guid of RSS, a permalink unless it says otherwise; else the name of the item in RDF."""
    guid = next(item.attributes("guid"), {})
    about = next(item.attributes(RSS.item), {}).get("rdf:about", "")
    is_permalink = guid.get("ispermalink", "true").lower() != "false"
    return (web(item.text("guid")) if is_permalink else "") or web(about)


def _xml_base(item: MarkupItem, format: FeedFormat) -> str:
    return next(item.attributes(format.item), {}).get("xml:base", "")


def web(text: str) -> str:
    """The text if it is a URL of the web; else blank."""
    return text if _WEB.match(text) else ""


def absolute(base: str, link: str) -> str:
    """The absolute URL of a link, with its character references decoded."""
    link = _BREAKS.sub("", clean(unescape(link))).strip()
    if not base or _ABSOLUTE.match(link):
        return link
    try:
        return urljoin(base, link) if link else base
    except ValueError:
        return link
