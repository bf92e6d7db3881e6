"""Chooses the story's link among those of an item: the first to a web page (feeds.md 7.2)."""

import re
from collections.abc import Iterable, Iterator

from indexer.news.syndication.announced import absolute, alternates
from indexer.news.syndication.feed_markup import MarkupItem

_SOUND = re.compile(r"https?://[!-%'-~]+")
"""A link that needs no cleaning: no blanks, no character references, only printable ASCII."""

_WEB = re.compile(r"https?:/", re.IGNORECASE)
_NO_PATH = re.compile(r"\s*(?:www\.|[^/?#]*\\)", re.IGNORECASE)
"""A host without a scheme, or backslashes: such a link is not relative to the feed's URL."""


def story_link(found: Iterable[str], base: str) -> str:
    """Return the first link to a web page, else the first of any kind; absolute if possible."""
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
    """Resolve a link against a base URL; "" for a blank link."""
    if not text or text.isspace():
        return ""
    return absolute("" if _NO_PATH.match(text) else base, text)


def rss_links(item: MarkupItem) -> Iterator[str]:
    """Yield the texts that may be the link of an item of RSS or RDF, the best first."""
    texts = item.texts
    yield from _stated(item)
    if "link" in texts:
        yield texts["link"]
        yield from item.more
    yield from alternates(item, "atom:link", "link")
    # RSS 2.0: a guid is the permanent link of its item, unless isPermaLink says that it is not.
    if guid := texts.get("guid"):
        said = next(item.attributes("guid"), {}).get("ispermalink", "true")
        if said.strip().lower() != "false":
            yield from web(guid)
    yield from web(about(item))


def atom_links(item: MarkupItem) -> Iterator[str]:
    """Yield the texts that may be the link of an entry of Atom, the best first."""
    yield from _stated(item)
    yield from alternates(item, "link")
    yield from web(item.texts.get("id", ""))


def about(item: MarkupItem) -> str:
    """Return the identifier of an item in RDF; "" for none."""
    return next(item.attributes("item"), {}).get("rdf:about", "") if item.elements else ""


def web(text: str) -> Iterator[str]:
    """Yield an identifier if it is the URL of a web page."""
    if _WEB.match(text.strip()):
        yield text


def _stated(item: MarkupItem) -> Iterator[str]:
    """Yield the publisher's own link: FeedBurner puts a link that counts clicks in its place."""
    if found := item.texts.get("feedburner:origlink"):
        yield found


_RIGHT = re.compile(
    r"(?:https?|ftp)://(?!https?/)[^\s\\/?#:\u200b\ufeff]+/[^\s\\\u200b\ufeff]*", re.I
)
_AROUND = " \t\r\n\f\v\xa0\u1680\u2028\u2029\u200b\u202f\u205f\u3000\ufeff\x85"
_BREAKS = re.compile(r"[\t\r\n]+")
_FRONT = re.compile(r"[^?#]*")
_DOUBLED = re.compile(r"(?:https?:?//?)+(?=https?:?//)", re.I)
_NO_COLON = re.compile(r"(https?)//", re.I)
_ONE_SLASH = re.compile(r"(https?:)/(?=\w)", re.I)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)
_NO_PORT = re.compile(r"(https?://[^/?#]*?):(?=[/?#]|$)", re.I)
_NO_SLASH = re.compile(r"(https?://[^/?#]+)\?", re.I)


def repaired(link: str, feed_url: str) -> str:
    """Correct mistakes that have only one possible meaning; other mistakes stay.

    Doubled scheme, one slash, `//host`, backslashes, empty port, no slash before `?`, blanks.
    """
    # Nearly all links are right: one match in place of ten.
    if _RIGHT.fullmatch(link):
        return link
    url = _BREAKS.sub("", link.strip(_AROUND))
    # Backslashes of a query or fragment are part of its value.
    front = _FRONT.match(url)
    if front and "\\" in front[0]:
        url = front[0].replace("\\", "/") + url[front.end() :]
    if url.startswith("//"):
        scheme = _SCHEME.match(feed_url)
        url = (scheme[0].lower() if scheme else "http:") + url
    if doubled := _DOUBLED.match(url):
        url = _NO_COLON.sub(r"\1://", url[doubled.end() :], count=1)
    for mistake, right in ((_ONE_SLASH, r"\1//"), (_NO_PORT, r"\1"), (_NO_SLASH, r"\1/?")):
        if found := mistake.match(url):
            url = found.expand(right) + url[found.end() :]
    return url.replace(" ", "%20")
