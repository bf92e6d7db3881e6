"""Guids that identify an item: some feeds give the same guid to all items."""

from collections.abc import Iterable

from indexer.feeds.attempt import NewItem
from indexer.http.urls.parts import split
from indexer.news.homepages import is_front_page_path

_PLACEHOLDERS = {
    *("", "0", "-1", "-", "#", "n/a", "na", "nil", "none", "null", "undefined"),
    *("false", "true", "guid", "id", "http://", "https://"),
}


def tells_apart(guid: str | None, feed_url: str) -> bool:
    """Whether a guid may identify an item: no placeholder, not the feed's or a site's URL."""
    trimmed = (guid or "").strip()
    # Some feeds give their own URL, or the site's, as the guid of every item.
    if trimmed == feed_url or trimmed.lower() in _PLACEHOLDERS:
        return False
    parts = split(trimmed)
    if parts is None or parts.query or parts.fragment:
        return True
    return not parts.is_web or not is_front_page_path(parts.path)


def ambiguous(items: Iterable[NewItem]) -> set[str]:
    """The guids, trimmed, that several stories of one document share."""
    # A guid may also be wrong without being a placeholder: templates copy the guid of an old item.
    first: dict[str, str] = {}
    shared = set()
    for item in items:
        if item.guid:
            guid = item.guid.strip()
            if first.setdefault(guid, item.identity) != item.identity:
                shared.add(guid)
    return shared
