"""Renders the feeds and lists of links of the newspapers; each has another format."""

import csv
import gzip
import io
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, time
from email.utils import format_datetime
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from newsroom.host import Host
from newsroom.reply import Reply, reply
from newsroom.story import absolute

# Noon in UTC is the same day in almost every time zone.
NOON = time(12, tzinfo=UTC)

FeedDate = datetime | str | None
"""The date of an item: a time, or a text to write as it is, or none."""


class Item(NamedTuple):
    """One entry of a feed. An entry with a blank link has no link element."""

    link: str
    title: str
    date: FeedDate = None


def published(day: str | None, text: str | None = None) -> FeedDate:
    """The date of an item: noon of a day, YYYY-MM-DD, or else `text`; None for the text `none`."""
    if text is not None:
        return None if text == "none" else text
    return datetime.combine(datetime.fromisoformat(day), NOON) if day else None


def render(host: Host, items: Sequence[Item]) -> Mapping[str, Reply]:
    """The replies of a newspaper's feed by URL, including those of the files that it lists."""
    return KINDS[host.feed.kind](host, items)


def _rss(host: Host, items: Sequence[Item]) -> Mapping[str, Reply]:
    entries = "\n".join(
        f"<item><title><![CDATA[{item.title}]]></title>{_tag('link', item.link)}"
        f"{_tag('guid', item.link)}{_tag('pubDate', _rfc2822(item.date))}</item>"
        for item in items
    )
    text = f"""<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
{_tag("title", host.name)}{_tag("link", absolute(host.host, "/"))}
{_tag("language", host.language)}
{entries}
</channel></rss>
"""
    return _file(host, text, "application/rss+xml; charset=UTF-8")


def _rdf(host: Host, items: Sequence[Item]) -> Mapping[str, Reply]:
    order = "".join(f"<rdf:li rdf:resource={quoteattr(item.link)}/>" for item in items)
    entries = "\n".join(
        f"<item rdf:about={quoteattr(item.link)}>{_tag('title', item.title)}"
        f"{_tag('link', item.link)}{_tag('dc:date', _iso(item.date))}</item>"
        for item in items
    )
    text = f"""<?xml version="1.0" encoding="{host.feed.encoding}"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns="http://purl.org/rss/1.0/">
<channel rdf:about={quoteattr(host.input)}>
{_tag("title", host.name)}{_tag("link", absolute(host.host, "/"))}
<items><rdf:Seq>{order}</rdf:Seq></items>
</channel>
{entries}
</rdf:RDF>
"""
    return _file(host, text, "application/rdf+xml")


def _atom(host: Host, items: Sequence[Item]) -> Mapping[str, Reply]:
    entries = "\n".join(
        f"<entry>{_tag('id', item.link)}{_tag('title', item.title)}"
        f'<link rel="alternate" type="text/html" href={quoteattr(item.link)}/>'
        f"{_tag('published', _iso(item.date))}{_tag('updated', _iso(item.date))}</entry>"
        for item in items
    )
    text = f"""<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{host.language}">
{_tag("id", host.input)}{_tag("title", host.name)}
<link rel="self" href={quoteattr(host.input)}/>
{entries}
</feed>
"""
    return _file(host, text, "application/atom+xml; charset=utf-8")


def _json(host: Host, items: Sequence[Item]) -> Mapping[str, Reply]:
    entries = [
        {
            "id": item.link,
            "url": item.link,
            "title": item.title,
            **({"date_published": _iso(item.date)} if item.date else {}),
        }
        for item in items
    ]
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": host.name,
        "home_page_url": absolute(host.host, "/"),
        "feed_url": host.input,
        "language": host.language,
        "items": entries,
    }
    return _file(host, json.dumps(feed, ensure_ascii=False, indent=1), "application/feed+json")


def _news_sitemap(host: Host, items: Sequence[Item]) -> Mapping[str, Reply]:
    return _file(host, _urlset(host, items), "application/xml")


def _sitemap_index(host: Host, items: Sequence[Item]) -> Mapping[str, Reply]:
    """Two sitemaps, the second one gzipped, and the index that lists them."""
    half = len(items) // 2
    news, archive = (absolute(host.host, f"/sitemap-{name}") for name in ("news.xml", "old.xml.gz"))
    files = {
        news: reply(_urlset(host, items[:half]).encode(), "application/xml"),
        archive: reply(
            gzip.compress(_urlset(host, items[half:]).encode(), mtime=0), "application/gzip"
        ),
    }
    entries = "\n".join(f"<sitemap>{_tag('loc', url)}</sitemap>" for url in files)
    text = f"""<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{entries}
</sitemapindex>
"""
    return {**files, **_file(host, text, "application/xml")}


def _urlset(host: Host, items: Sequence[Item]) -> str:
    publication = f"{_tag('news:name', host.name)}{_tag('news:language', host.language)}"
    entries = "\n".join(
        f"<url>{_tag('loc', item.link)}<news:news>"
        f"<news:publication>{publication}</news:publication>"
        f"{_tag('news:publication_date', _iso(item.date))}{_tag('news:title', item.title)}"
        "</news:news></url>"
        for item in items
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
{entries}
</urlset>
"""


def _csv(host: Host, items: Sequence[Item]) -> Mapping[str, Reply]:
    """The format of spreadsheets: with a byte order mark and CR LF."""
    lines = io.StringIO(newline="")
    csv.writer(lines).writerows((item.link, item.title) for item in items)
    return _file(host, "\ufeff" + lines.getvalue(), "text/csv; charset=utf-8")


def _urls(host: Host, items: Sequence[Item]) -> Mapping[str, Reply]:
    return _file(host, "".join(f"{item.link}\n" for item in items), "text/plain; charset=utf-8")


KINDS: Mapping[str, Callable[[Host, Sequence[Item]], Mapping[str, Reply]]] = {
    "rss": _rss,
    "rdf": _rdf,
    "atom": _atom,
    "json": _json,
    "news-sitemap": _news_sitemap,
    "sitemap-index": _sitemap_index,
    "csv": _csv,
    "urls": _urls,
}


def _file(host: Host, text: str, content_type: str) -> Mapping[str, Reply]:
    body = text.encode(host.feed.encoding)
    if host.feed.path.endswith(".gz"):
        return {host.input: reply(gzip.compress(body, mtime=0), "application/gzip")}
    return {host.input: reply(body, content_type, packed=host.gzip)}


def _tag(name: str, text: str) -> str:
    return f"<{name}>{escape(text)}</{name}>" if text else ""


def _rfc2822(date: FeedDate) -> str:
    return format_datetime(date, usegmt=True) if isinstance(date, datetime) else date or ""


def _iso(date: FeedDate) -> str:
    return date.isoformat() if isinstance(date, datetime) else date or ""
