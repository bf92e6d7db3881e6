"""The common fields of an item, whatever the format of its feed."""

import re
from typing import NamedTuple
from urllib.parse import urljoin

from indexer.news.syndication.feed_markup import ATOM, RSS, FeedFormat, MarkupItem
from indexer.news.syndication.markup import unescape
from indexer.text.cleaning import clean

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
        link=item.text("link") or _alternate(item, "atom:link", "link") or _permalink(item),
        title=item.text("title"),
        date=item.text("pubdate", "dc:date"),
        base=_xml_base(item, RSS),
        domain=item.text("domain"),
        source_url=source.get("url", ""),
        feed_id=source.get("mcfeedid", ""),
        source_id=source.get("mcsourceid", ""),
    )


def _atom(item: MarkupItem) -> Announced:
    return Announced(
        link=_alternate(item, "link") or web(item.text("id")),
        title=item.text("title"),
        date=item.text("published", "issued", "created", "updated"),
        base=_xml_base(item, ATOM),
    )


def _alternate(item: MarkupItem, *names: str) -> str:
    """The Atom link to the story itself, not to its comments or its audio file."""
    links = [found for name in names for found in item.attributes(name) if found.get("href")]
    return next((each["href"] for each in links if each.get("rel", "alternate") == "alternate"), "")


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
