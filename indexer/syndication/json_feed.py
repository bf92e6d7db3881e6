"""JSON Feed 1.0 and 1.1 (jsonfeed.org)."""

import json
from collections.abc import Iterator
from typing import Any

from indexer.errors import InputError
from indexer.syndication.announced import Announced

MAX_BYTES = 50_000_000
"""A JSON Feed is read whole."""


def announced(name: str, data: bytes) -> Iterator[Announced]:
    """What its items say. Raises InputError for what isn't JSON, or has no items."""
    try:
        # The strict parsers refuse the whole feed for a lone surrogate or a control character.
        feed = json.loads(data.decode("utf-8-sig", "replace"), strict=False)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: not a JSON Feed: {error}") from error
    items = feed.get("items") if isinstance(feed, dict) else None
    if not isinstance(items, list):
        raise InputError(f"{name}: not a JSON Feed: it has no items")
    return (_item(item if isinstance(item, dict) else {}) for item in items)


def _item(item: dict[str, Any]) -> Announced:
    identity = _text(item, "id")
    link = _text(item, "url", "external_url")
    return Announced(
        link=link or (identity if identity.startswith(("http://", "https://")) else ""),
        title=_text(item, "title", "summary"),
        date=_text(item, "date_published", "date_modified"),
    )


def _text(item: dict[str, Any], *names: str) -> str:
    """The first that is a text and not blank."""
    found = (item.get(name) for name in names)
    return next((text.strip() for text in found if isinstance(text, str) and text.strip()), "")
