"""Makes entries of the items of RSS, RDF, Atom and sitemaps."""

from collections.abc import Callable
from datetime import datetime

from indexer.feeds.reading.entry import FeedEntry
from indexer.feeds.reading.entry_dates import published
from indexer.feeds.reading.entry_links import about, atom_links, resolved, rss_links, story_link
from indexer.news.syndication.feed_markup import ATOM, SITEMAP, FeedFormat, MarkupItem
from indexer.text.cleaning import clean

Maker = Callable[[MarkupItem, str, datetime], FeedEntry]


def maker(format: FeedFormat) -> Maker:
    """Return the function that makes entries of a format's items.

    It takes an item, the base URL of its links, and the current time.
    """
    if format is ATOM:
        return _atom
    return _sitemap if format is SITEMAP else _rss


def _rss(item: MarkupItem, base: str, now: datetime) -> FeedEntry:
    guid = item.texts.get("guid", "")
    return _entry(item, story_link(rss_links(item), _base(item, "item", base)), guid, "title", now)


def _atom(item: MarkupItem, base: str, now: datetime) -> FeedEntry:
    link = story_link(atom_links(item), _base(item, "entry", base))
    return _entry(item, link, item.texts.get("id", ""), "title", now)


def _sitemap(item: MarkupItem, base: str, now: datetime) -> FeedEntry:
    link = story_link([item.texts.get("loc", "")], base)
    return _entry(item, link, "", "news:title", now)


def _entry(item: MarkupItem, link: str, guid: str, title: str, now: datetime) -> FeedEntry:
    date = published(item.texts, now)
    return FeedEntry(
        link=link,
        guid=stored(guid if guid.strip() else about(item)),
        title=clean(item.texts.get(title, "")).strip() or None,
        published=date.text,
        published_at=date.at,
        date_source=date.source,
    )


def stored(identifier: str) -> str | None:
    """Return an identifier as given, without characters that can't be stored; None if blank."""
    cleaned = clean(identifier)
    return cleaned if cleaned.strip() else None


def _base(item: MarkupItem, name: str, base: str) -> str:
    """The base URL of the item's links."""
    own = next(item.attributes(name), {}).get("xml:base", "")
    return resolved(own, base) or base
