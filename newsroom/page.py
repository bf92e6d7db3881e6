"""Renders a story as a page of its newspaper: markup, dates and encoding declarations."""

import codecs
import json
from collections.abc import Sequence
from datetime import date, timedelta
from html import escape
from pathlib import Path
from string import Template
from urllib.parse import urlsplit

from newsroom.host import Host
from newsroom.story import Story

SOURCES = Path(__file__).parent / "site"
"""The sources of all pages."""

BYTE_ORDER_MARKS = {"utf-8-sig": codecs.BOM_UTF8, "utf-16": codecs.BOM_UTF16_LE}
# Python's "utf-16" has the byte order of the machine: the bytes of a page must be the same on all.
CODECS = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le"}


FEED_TYPES = {
    "rss": "application/rss+xml",
    "rdf": "application/rdf+xml",
    "atom": "application/atom+xml",
    "json": "application/feed+json",
}
"""The media types of feeds in pages, by kind of feed. Pages don't link to other lists."""


def page(host: Host, story: Story, related: Sequence[Story]) -> bytes:
    """The bytes of the story's page, in the encoding that its source asks for."""
    text = Template(host.template).substitute(
        title=escape(story.title),
        site=escape(host.name),
        lang=story.lang or story.language,
        charset=_charset(host, story),
        head="\n".join(_head(host, story)),
        dateline=_dateline(story),
        author=escape(story.author),
        body="\n".join(_paragraph(host, text) for text in story.paragraphs),
        related="\n".join(_related(host, other) for other in related),
    )
    codec = CODECS.get(story.encoding, story.encoding)
    mark = BYTE_ORDER_MARKS.get(story.encoding, b"")
    return mark + text.encode(codec, errors="xmlcharrefreplace")


def notice(host: Host, title: str, text: str) -> bytes:
    """A page that is not a story, with hardly anything but `text`."""
    values = {"title": escape(title), "text": escape(text), "lang": host.language}
    return _template("notice").substitute(values).encode()


def front(host: Host, stories: Sequence[Story]) -> bytes:
    """The newspaper's front page, with the beginnings of its stories, and a link to its feed."""
    teasers = (
        f'<h2><a href="{_path(story)}">{escape(story.title)}</a></h2>\n'
        f"<p>{escape(story.paragraphs[0])}</p>"
        for story in stories
    )
    values = {
        "site": escape(host.name),
        "lang": host.language,
        "feed": _feed_link(host),
        "stories": "\n".join(teasers),
    }
    return _template("front").substitute(values).encode()


def content_type(story: Story) -> str:
    """The Content-Type header of the page."""
    # A byte order mark outranks a header: one of the pages has both, and they disagree.
    named = story.declared in {"header", "both"}
    return f"text/html; charset={story.label}" if named else "text/html"


def _feed_link(host: Host) -> str:
    if host.feed.kind not in FEED_TYPES:
        return ""
    kind = FEED_TYPES[host.feed.kind]
    return f'<link rel="alternate" type="{kind}" title="{escape(host.name)}" href="{host.input}">'


def _template(name: str) -> Template:
    return Template((SOURCES / f"{name}.html").read_text("utf-8"))


def _charset(host: Host, story: Story) -> str:
    if story.declared not in {"meta", "both"}:
        return ""
    if host.http_equiv:
        content = f"text/html; charset={story.meta_label}"
        return f'<meta http-equiv="Content-Type" content="{content}">'
    return f'<meta charset="{story.meta_label}">'


def _head(host: Host, story: Story) -> list[str]:
    lines = []
    if story.canonical:
        lines.append(f'<link rel="canonical" href="{story.url}">')
    if "meta" in story.dated:
        lines.append(_meta("property", "article:published_time", f"{story.date}T09:30:00+00:00"))
        lines.append(_meta("property", "article:modified_time", f"{_later(story)}T16:05:00+00:00"))
    if "dc" in story.dated:
        lines.append(_meta("name", "DC.date.issued", f"{story.date}"))
    if "json-ld" in story.dated:
        data = json.dumps(_linked_data(host, story)).replace("</", "<\\/")
        lines.append(f'<script type="application/ld+json">{data}</script>')
    return lines


def _later(story: Story) -> str:
    """The date of the last change, which extractors must not take for that of publication."""
    return (date.fromisoformat(story.date or "") + timedelta(days=9)).isoformat()


def _meta(attribute: str, name: str, content: str) -> str:
    return f'<meta {attribute}="{name}" content="{content}">'


def _linked_data(host: Host, story: Story) -> dict[str, object]:
    """A NewsArticle of schema.org."""
    return {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "mainEntityOfPage": story.url,
        "headline": story.title,
        "datePublished": f"{story.date}T09:30:00+00:00",
        "dateModified": f"{_later(story)}T16:05:00+00:00",
        "author": [{"@type": "Person", "name": story.author}],
        "publisher": {"@type": "Organization", "name": host.name},
    }


def _dateline(story: Story) -> str:
    if "microdata" in story.dated:
        return f'<meta itemprop="datePublished" content="{story.date}">{story.shown}'
    if "time" in story.dated:
        return f'<time datetime="{story.date}T09:30:00+00:00">{story.shown}</time>'
    return story.shown


def _paragraph(host: Host, text: str) -> str:
    return Template(host.paragraph).substitute(text=escape(text, quote=False))


def _related(host: Host, story: Story) -> str:
    return Template(host.related).substitute(path=_path(story), title=escape(story.title))


def _path(story: Story) -> str:
    return urlsplit(story.url).path
