"""Reads a document with feedparser, in a sandbox: its items, with the elements of RSS.

So the rules for an item, its link, title and date, are the same whatever has read it.
"""

import io
import re
import sys
from typing import Any

import feedparser
import msgspec

from indexer.news.syndication.open_item import MarkupItem
from indexer.news.syndication.second_reader import SecondReading
from indexer.text.cleaning import clean

MAX_FIELD = 1 << 16

# The text was decoded by our rules, whatever its declaration says.
_HEADERS = {"content-type": "application/xml; charset=utf-8"}

# feedparser raises an exception for a surrogate, and loses the whole feed.
_NUMBER = re.compile(rb"&#(?:x([0-9a-f]{1,9})|([0-9]{1,9}));", re.IGNORECASE)

_TEXTS = {
    "title": "title",
    "id": "guid",
    "feedburner_origlink": "feedburner:origlink",
    "published": "published",
    "created": "created",
    "updated": "updated",
}
"""Elements of RSS, by feedparser's name."""

_LINK = ("href", "rel", "type", "hreflang")


def answer(document: bytes) -> bytes:
    """Read a document in UTF-8; the answer is a SecondReading in MessagePack."""
    # A text instead of a file could be taken for a path or a URL, and opened.
    found = feedparser.parse(
        io.BytesIO(_NUMBER.sub(_character, document)),
        response_headers=_HEADERS,
        sanitize_html=False,
        resolve_relative_uris=False,
    )
    reading = SecondReading(
        version=_text(found.get("version")),
        head=_item(found["feed"]),
        items=[_item(entry) for entry in found["entries"]],
    )
    return msgspec.msgpack.encode(reading)


def _item(found: dict[str, Any]) -> MarkupItem:
    item = MarkupItem()
    # feedparser's own `get` answers one date for another.
    values = dict(found)
    for name, element in _TEXTS.items():
        if text := _text(values.get(name)):
            item.add(element, text)
    # The element `A` of an item in CDF stays unread as it is.
    for link in values.get("links") or [values.get("a") or {}]:
        item.add("link", {name: _text(link.get(name)) for name in _LINK if link.get(name)})
    if values.get("guidislink") is False:
        item.add("guid", {"ispermalink": "false"})
    return item


def _character(reference: re.Match[bytes]) -> bytes:
    """A reference to a character, or the sign for one that there is not."""
    number = int(reference[1], 16) if reference[1] else int(reference[2])
    exists = number <= sys.maxunicode and not 0xD800 <= number <= 0xDFFF
    return reference[0] if exists else "\ufffd".encode()


def _text(value: object) -> str:
    return clean(value)[:MAX_FIELD] if isinstance(value, str) else ""
