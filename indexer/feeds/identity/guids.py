"""Whether a guid tells items apart: some feeds give all items the same."""

from collections.abc import Iterable

from indexer.feeds.attempt import NewItem
from indexer.http.urls.parts import split
from indexer.news.homepages import is_front_page_path

_PLACEHOLDERS = {
    *("", "0", "-1", "-", "#", "n/a", "na", "nil", "none", "null", "undefined"),
    *("false", "true", "guid", "id", "http://", "https://"),
}


def tells_apart(guid: str | None, feed_url: str) -> bool:
    """Whether a guid can be that of one item: no placeholder, and not the feed's or site's URL."""
    trimmed = (guid or "").strip()
    if trimmed == feed_url or trimmed.lower() in _PLACEHOLDERS:
        return False
    parts = split(trimmed)
    if parts is None or parts.query or parts.fragment:
        return True
    return not parts.is_web or not is_front_page_path(parts.path)


def ambiguous(items: Iterable[NewItem]) -> set[str]:
    """The guids, trimmed, that items of one document share though they are different stories."""
    first: dict[str, str] = {}
    shared = set()
    for item in items:
        if item.guid:
            guid = item.guid.strip()
            if first.setdefault(guid, item.identity) != item.identity:
                shared.add(guid)
    return shared
