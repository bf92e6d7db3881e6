"""Small documents for tests of reading, built from parts."""

from datetime import datetime

from indexer.errors import BadFeed
from indexer.feeds.attempt import DocumentPart
from indexer.feeds.reading.entry import DocumentReading
from indexer.feeds.reading.reading import read

NOW = datetime(2024, 6, 2, 12)
URL = "https://site.example/dir/feed.xml"

NEWS = 'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def reading(body: bytes | str, charset: str | None = None, url: str = URL) -> DocumentReading:
    """Read a document. Raises BadFeed."""
    data = body.encode() if isinstance(body, str) else body
    return read([DocumentPart(url, len(data), charset)], [data], url, NOW)


def outcome(body: bytes | str, charset: str | None = None) -> str | list[tuple[str, str | None]]:
    """The links and titles of a document; or the detail of its parse error."""
    try:
        found = reading(body, charset)
    except BadFeed as error:
        return error.detail
    return [(entry.link, entry.title) for entry in found.entries]


def item(number: int, inner: str = "") -> str:
    """An RSS item with its number in link and title."""
    return f"<item><title>T{number}</title><link>https://s.example/{number}</link>{inner}</item>"


def rss(*inner: str, version: str = ' version="2.0"') -> str:
    """RSS around items."""
    return f"<rss{version}><channel><title>F</title>{''.join(inner)}</channel></rss>"


def entry(number: int, inner: str = "") -> str:
    """An entry of Atom."""
    link = f'<link href="https://s.example/{number}"/>'
    return f"<entry><title>T{number}</title>{link}{inner}</entry>"


def atom(*inner: str, attributes: str = ' xmlns="http://www.w3.org/2005/Atom"') -> str:
    """Atom around entries."""
    return f"<feed{attributes}><title>F</title>{''.join(inner)}</feed>"


def page(number: int, news: str = "<news:news/>") -> str:
    """A page of a sitemap."""
    return f"<url><loc>https://s.example/{number}</loc>{news}</url>"


def news(title: str, date: str = "", name: str = "Paper") -> str:
    """The news element of a page in a sitemap."""
    publication = f"<news:publication><news:name>{name}</news:name></news:publication>"
    when = f"<news:publication_date>{date}</news:publication_date>" if date else ""
    return f"<news:news>{publication}<news:title>{title}</news:title>{when}</news:news>"


def sitemap(*pages: str, attributes: str = f" {SITEMAP} {NEWS}") -> str:
    """A sitemap around pages."""
    return f"<urlset{attributes}>{''.join(pages)}</urlset>"


def json_feed(items: str, version: str = "https://jsonfeed.org/version/1.1") -> str:
    """A JSON Feed around items."""
    return f'{{"version": "{version}", "title": "F", "items": [{items}]}}'


def json_item(number: int, inner: str = "") -> str:
    """An item of a JSON Feed."""
    return f'{{"id": "{number}", "url": "https://s.example/{number}", "title": "T{number}"{inner}}}'


def numbered(*numbers: int) -> list[tuple[str, str]]:
    """The expected links and titles of numbered items."""
    return [(f"https://s.example/{number}", f"T{number}") for number in numbers]
