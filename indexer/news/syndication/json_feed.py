"""JSON Feed 1.0 and 1.1 (jsonfeed.org)."""

import json
import re
from collections.abc import Iterator
from typing import Any

from indexer.errors import InputError
from indexer.news.syndication.announced import Announced, web

MAX_BYTES = 50_000_000
"""The largest JSON Feed: it is parsed as a whole."""

_ITEMS = re.compile(r'"items"\s*:\s*\[')
_BETWEEN = re.compile(r"[\s,]*")

# The strict parsers refuse the whole feed for a lone surrogate or a control character.
_decoder = json.JSONDecoder(strict=False)


def announced(name: str, data: bytes) -> Iterator[Announced]:
    """The items of a feed. Raises InputError for a text that is no JSON, or has no items."""
    try:
        feed = parsed(data.decode("utf-8-sig", "replace"))
    except ValueError as error:
        raise InputError(f"{name}: not a JSON Feed: {error}") from error
    items = feed.get("items") if isinstance(feed, dict) else None
    if not isinstance(items, list):
        raise InputError(f"{name}: not a JSON Feed: it has no items")
    return (_item(item if isinstance(item, dict) else {}) for item in items)


def parsed(text: str) -> Any:
    """The value of a JSON text. Raises ValueError, also for a text that is nested too deeply."""
    try:
        return _decoder.decode(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def salvaged(text: str) -> tuple[dict[str, Any], list[Any]]:
    """The head of a broken or cut feed, and its items before the fault."""
    start = _ITEMS.search(text)
    if start is None:
        return {}, []
    return _head(text[: start.start()]), list(_items(text, start.end()))


def _head(text: str) -> dict[str, Any]:
    try:
        head = parsed(text.rstrip().removesuffix(",") + "}")
    except ValueError:
        return {}
    return head if isinstance(head, dict) else {}


def _items(text: str, at: int) -> Iterator[Any]:
    while between := _BETWEEN.match(text, at):
        try:
            item, at = _decoder.raw_decode(text, between.end())
        except (ValueError, RecursionError):
            return
        yield item


def _item(item: dict[str, Any]) -> Announced:
    return Announced(
        link=text_of(item, "url", "external_url") or web(text_of(item, "id")),
        title=text_of(item, "title", "summary"),
        date=text_of(item, "date_published", "date_modified"),
    )


def text_of(item: dict[str, Any], *names: str) -> str:
    """The first of some fields that has a text that is not blank."""
    found = (item.get(name) for name in names)
    return next((text.strip() for text in found if isinstance(text, str) and text.strip()), "")
