"""From the fields of an item, of whichever format, to an RSSEntry."""

import email.utils
import re
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urljoin

from indexer.stories.dates import parse_date
from indexer.stories.feed_markup import ATOM, RSS, Format, Item
from indexer.stories.markup import unescape
from indexer.stories.story import RSSEntry
from indexer.text import clean, one_line
from indexer.worker import Skipped

BAD = "bad"
"""The status of an item that has no link (stories.md 2.5)."""

TITLE_LENGTH = 1000
DATE_LENGTH = 100

_ABSOLUTE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_WEB = re.compile(r"https?://", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*+>")
_BREAKS = re.compile(r"[\t\r\n]+")
_ID = re.compile(r"\d{1,18}")


class Announced(NamedTuple):
    """What an item says, as it says it. Links may be relative to `base`."""

    link: str
    title: str = ""
    date: str = ""
    base: str = ""
    domain: str = ""
    source_url: str = ""
    feed_id: str = ""
    source_id: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where items are from: the input's name, what links are relative to, the day it was made."""

    name: str
    base: str = ""
    fetch_date: str | None = None

    def entry(self, item: Announced) -> RSSEntry | Skipped:
        """The entry of an item; Skipped if it has no link."""
        # A blank link, unlike a relative one, does not mean the feed itself.
        link = absolute(absolute(self.base, item.base), item.link) if item.link.strip() else ""
        title = plain(item.title)
        if not link:
            return Skipped(BAD, title or self.name, "an item without a link")
        return RSSEntry(
            link=link,
            title=title or None,
            domain=one_line(item.domain) or None,
            pub_date=rfc_2822(item.date),
            fetch_date=self.fetch_date,
            source_url=clean(item.source_url) or (self.name if _WEB.match(self.name) else None),
            source_feed_id=_number(item.feed_id),
            source_source_id=_number(item.source_id),
            via=clean(self.name),
        )


def announced(format: Format, item: Item) -> Announced:
    """What an item of a format says."""
    if format is ATOM:
        return _atom(item)
    if format is RSS:
        return _rss(item)
    return Announced(item.text("loc"), item.text("news:title"), item.text("news:publication_date"))


def _rss(item: Item) -> Announced:
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


def _atom(item: Item) -> Announced:
    return Announced(
        link=_alternate(item, "link") or _web(item.text("id")),
        title=item.text("title"),
        date=item.text("published", "issued", "created", "updated"),
        base=_xml_base(item, ATOM),
    )


def _alternate(item: Item, *names: str) -> str:
    """Where an Atom link leads to the story itself, not to its comments or its sound."""
    links = [found for name in names for found in item.attributes(name) if found.get("href")]
    return next((each["href"] for each in links if each.get("rel", "alternate") == "alternate"), "")


def _permalink(item: Item) -> str:
    """An RSS guid, which is a permalink if nothing is said; RDF's name of the item."""
    guid = next(item.attributes("guid"), {})
    about = next(item.attributes(RSS.item), {}).get("rdf:about", "")
    is_permalink = guid.get("ispermalink", "true").lower() != "false"
    return (_web(item.text("guid")) if is_permalink else "") or _web(about)


def _xml_base(item: Item, format: Format) -> str:
    return next(item.attributes(format.item), {}).get("xml:base", "")


def _web(text: str) -> str:
    return text if _WEB.match(text) else ""


def absolute(base: str, link: str) -> str:
    """The URL that a link means, as far as can be told; references to characters undone."""
    link = _BREAKS.sub("", clean(unescape(link))).strip()
    if not base or _ABSOLUTE.match(link):
        return link
    try:
        return urljoin(base, link) if link else base
    except ValueError:
        return link


def plain(title: str) -> str:
    """A title without markup, on one line."""
    return one_line(unescape(_TAG.sub("", unescape(title))), TITLE_LENGTH)


def rfc_2822(text: str) -> str | None:
    """A date as stories have it (seed: `pub_date`); what is no date as it is, on one line.

    None for a blank text.
    """
    found = parse_date(text)
    return email.utils.format_datetime(found) if found else one_line(text, DATE_LENGTH) or None


def _number(text: str) -> int | None:
    return int(text) if _ID.fullmatch(text) else None
