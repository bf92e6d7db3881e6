"""Which of an item's links is the story's (feeds.md 7.2): the first that leads to the web."""

import re
from collections.abc import Iterable, Iterator

from indexer.news.syndication.announced import absolute
from indexer.news.syndication.feed_markup import MarkupItem

_SOUND = re.compile(r"https?://[!-%'-~]+")
"""What is a link as it is: nothing to trim, no character reference, nothing unprintable."""

_WEB = re.compile(r"https?:/", re.IGNORECASE)
_NO_PATH = re.compile(r"\s*(?:www\.|[^/?#]*\\)", re.IGNORECASE)
"""Not relative, but a host without its scheme, or somebody's idea of slashes."""

ALTERNATE = "alternate"


def story_link(found: Iterable[str], base: str) -> str:
    """The first link to the web, else the first there is, made absolute as far as it can be."""
    first = ""
    for text in found:
        if _SOUND.fullmatch(text):
            return text
        link = resolved(text, base)
        if _WEB.match(link):
            return link
        first = first or link
    return first


def resolved(text: str, base: str) -> str:
    """The URL that a link means where `base` is its place; "" for none."""
    if not text or text.isspace():
        return ""
    return absolute("" if _NO_PATH.match(text) else base, text)


def rss_links(item: MarkupItem) -> Iterator[str]:
    """What may be the link of an item of RSS or RDF, the best first."""
    texts = item.texts
    yield from _stated(item)
    if "link" in texts:
        yield texts["link"]
        yield from item.more
    yield from alternates(item, "atom:link", "link")
    if guid := texts.get("guid"):
        said = next(item.attributes("guid"), {}).get("ispermalink", "true")
        if said.strip().lower() != "false":
            yield from web(guid)
    yield from web(about(item))


def atom_links(item: MarkupItem) -> Iterator[str]:
    """The same of an entry of Atom."""
    yield from _stated(item)
    yield from alternates(item, "link")
    yield from web(item.texts.get("id", ""))


def about(item: MarkupItem) -> str:
    """What RDF calls the item."""
    return next(item.attributes("item"), {}).get("rdf:about", "") if item.elements else ""


def alternates(item: MarkupItem, *names: str) -> Iterator[str]:
    """Where Atom's links lead to the story itself, not to its comments or its sound."""
    for name, found in item.elements:
        if name in names and (href := found.get("href")):
            rel = found.get("rel", ALTERNATE).strip().lower()
            # A relation may be written as a URL of the registry of relations.
            if rel.rpartition("/")[2] == ALTERNATE:
                yield absolute(found.get("xml:base", ""), href)


def web(text: str) -> Iterator[str]:
    """An identifier, if it is the URL of a page."""
    if _WEB.match(text.strip()):
        yield text


def _stated(item: MarkupItem) -> Iterator[str]:
    """The publisher's own link, where a service puts a counting one in its place."""
    if found := item.texts.get("feedburner:origlink"):
        yield found
