"""The rules by which an item is a new story or a duplicate, as a table."""

from datetime import datetime, timedelta
from typing import Any

from indexer.feeds.attempt import NewItem
from indexer.feeds.identity.identity import guid_key, url_key
from indexer.feeds.saving.deciding import (
    DELETED,
    Candidate,
    Decision,
    KnownStories,
    candidate,
    decide,
    first_title_date,
)
from tests.feeds.rows import NOW, item

SINCE = NOW - timedelta(days=7)
OLD = SINCE - timedelta(seconds=1)


def of(item: NewItem, feed: int = 1, source: int | None = 3) -> Candidate:
    return candidate(item, feed, source, NOW)


def url(number: int) -> bytes:
    return url_key(item(number).identity)


def guid(text: str, feed: int = 1) -> bytes:
    return guid_key(feed, text) or b""


def title(hash: str, **fields: Any) -> NewItem:
    """An item without guid, with this title."""
    return item(fields.pop("number", 9), guid=None, title_hash=hash, **fields)


KNOWN = KnownStories(
    {url(1): 11, guid("g1"): 11, url(2): DELETED, guid("g2"): DELETED, url(3): 13},
    {("t1", 3): 11},
    late={url(3)},
)
"""Story 11 with a guid and a title, a deleted story, and story 13, stored by another saver."""

NEW, AGAIN = Decision("ok", position=0), Decision("ok", position=1)
TABLE: dict[str, tuple[list[Candidate], list[Decision]]] = {
    "nothing is known of it": ([of(item(9))], [NEW]),
    "known URL": ([of(item(1))], [Decision("dup_url", 11)]),
    "known URL, of a deleted story": ([of(item(2))], [Decision("dup_url", DELETED)]),
    "known URL, in another feed and source": ([of(item(1), 2, 4)], [Decision("dup_url", 11)]),
    "URL stored by another saver": ([of(item(3))], [Decision("dupurl2", 13)]),
    "the URL counts before the guid": ([of(item(3, guid="g1"))], [Decision("dupurl2", 13)]),
    "known guid": ([of(item(9, guid="g1"))], [Decision("dup_guid", 11)]),
    "known guid, with blanks": ([of(item(9, guid=" g1 "))], [Decision("dup_guid", 11)]),
    "known guid, of a deleted story": (
        [of(item(9, guid="g2"))],
        [Decision("dup_guid", DELETED)],
    ),
    "guid of another feed": ([of(item(9, guid="g1"), 2)], [NEW]),
    "guid without meaning": ([of(item(9, guid="g1", guid_means=False))], [NEW]),
    "blank guid": ([of(item(9, guid=" "))], [NEW]),
    "the guid counts before the title": (
        [of(item(9, guid="g2", title_hash="t1"))],
        [Decision("dup_guid", DELETED)],
    ),
    "known title": ([of(title("t1"))], [Decision("dup_title", 11)]),
    "known title, old item": ([of(title("t1", published_at=OLD))], [Decision("dup_title", 11)]),
    "title of another source": ([of(title("t1"), 1, 4)], [NEW]),
    "title without a source": ([of(title("t1"), 1, None)], [NEW]),
    "no title": ([of(title("", number=8)), of(title(""))], [NEW, AGAIN]),
    "URL of an item before": ([of(item(9)), of(item(9), 2)], [NEW, Decision("dup_url", None, 0)]),
    "guid of an item before": (
        [of(item(8, guid="x")), of(item(9, guid="x"))],
        [NEW, Decision("dup_guid", None, 0)],
    ),
    "guid of an item before, of another feed": (
        [of(item(8, guid="x")), of(item(9, guid="x"), 2)],
        [NEW, AGAIN],
    ),
    "title of an item before": (
        [of(title("x", number=8)), of(title("x"), 2)],
        [NEW, Decision("dup_title", None, 0)],
    ),
    "title of an item before, without a source": (
        [of(title("x", number=8), 1, None), of(title("x"), 1, None)],
        [NEW, AGAIN],
    ),
    "title of an old item before": (
        [of(title("x", number=8, published_at=OLD)), of(title("x"))],
        [NEW, AGAIN],
    ),
    "title of an item before, at the edge of the window": (
        [of(title("x", number=8, published_at=SINCE)), of(title("x"))],
        [NEW, Decision("dup_title", None, 0)],
    ),
    "guid of a duplicate before": (
        [of(item(1, guid="x")), of(item(9, guid="x"))],
        [Decision("dup_url", 11), Decision("dup_guid", 11)],
    ),
    "URL of a duplicate of an item before": (
        [of(item(7, guid="x")), of(item(8, guid="x")), of(item(8, guid="y"))],
        [NEW, Decision("dup_guid", None, 0), Decision("dup_url", None, 0)],
    ),
    "nothing": ([], []),
}


def test_each_rule_in_its_order() -> None:
    made = {name: decide(items, KNOWN, SINCE) for name, (items, _) in TABLE.items()}
    assert made == {name: wanted for name, (_, wanted) in TABLE.items()}


def test_titles_count_from_the_beginning_of_a_day() -> None:
    assert first_title_date(datetime(2026, 11, 21, 12), 7) == datetime(2026, 11, 14)
