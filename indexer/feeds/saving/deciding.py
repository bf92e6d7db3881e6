"""Whether each item of a batch is a new story or a duplicate (feeds.md 8); without I/O.

    its URL is known → dup_url, or dupurl2 if another saver has just stored it
    its guid is known in its feed → dup_guid
    its source has a recent story with the same title → dup_title
    none of these → ok: a new story

The saver writes these decisions, the preview of a feed shows them.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import NamedTuple, TypeAlias

from indexer.feeds.attempt import Attempt, NewItem
from indexer.feeds.identity.identity import guid_key, url_key

ADDED = "ok"
DUPLICATES = ("dup_url", "dup_guid", "dup_title", "dupurl2")
"""The counters of feeds.md 8 for stored and duplicate items, and our own `dup_guid`."""

DELETED = 0
"""Stands for the id of a story that was deleted: its keys are kept."""

SourceTitle: TypeAlias = tuple[str, int]
"""The hash of a title, and the source that published it."""

_Story: TypeAlias = tuple[int | None, int | None]
"""The last two fields of a `Decision`."""


class Candidate(NamedTuple):
    """An item of a feed that may become a story. The first of its `keys` is that of its URL."""

    item: NewItem
    feed_id: int
    sources_id: int | None
    found_at: datetime
    keys: Sequence[bytes]

    @property
    def title(self) -> SourceTitle | None:
        """The title by which duplicates are found; None without a source or a usable title."""
        source, title = self.sources_id, self.item.title_hash
        return (title, source) if title and source else None

    @property
    def date(self) -> datetime:
        """The publication date, or else the time at which the item was found."""
        return self.item.published_at or self.found_at


class Decision(NamedTuple):
    """The counter of an item, and its story: an id, or the position of an item in the batch.

    A new story has no id yet: it has the position of its own item.
    """

    counter: str
    story: int | None = None
    position: int | None = None


class KnownStories(NamedTuple):
    """The stories in the database that a batch may repeat: ids by key, and by title.

    Another saver stored the `late` keys after this saver first looked for them.
    """

    stories: Mapping[bytes, int]
    titles: Mapping[SourceTitle, int]
    late: Collection[bytes] = ()


def candidates_of(attempt: Attempt) -> list[Candidate]:
    """The items of an attempt's document; none if it has no document."""
    items = attempt.document.items if attempt.document else ()
    poll, found_at = attempt.poll, attempt.started
    return [candidate(item, poll.feed_id, poll.sources_id, found_at) for item in items]


def candidate(item: NewItem, feed_id: int, sources_id: int | None, found_at: datetime) -> Candidate:
    """An item of a feed with its keys."""
    guid = guid_key(feed_id, item.guid) if item.guid and item.guid_means else None
    keys = [url_key(item.identity), *([guid] if guid else [])]
    return Candidate(item, feed_id, sources_id, found_at, keys)


def first_title_date(now: datetime, title_days: int) -> datetime:
    """Stories from this moment on make a later item with the same title a duplicate."""
    return datetime.combine((now - timedelta(days=title_days)).date(), time.min)


def decide(
    candidates: Sequence[Candidate], known: KnownStories, titles_since: datetime
) -> list[Decision]:
    """Decide about a batch, in its order: an item may be a duplicate of an earlier one."""
    batch = _Batch(known, titles_since)
    return [batch.decide(position, each) for position, each in enumerate(candidates)]


class _Batch:
    """The known stories, and the keys and titles of the items before."""

    def __init__(self, known: KnownStories, titles_since: datetime) -> None:
        self._known = known
        self._since = titles_since
        self._keys: dict[bytes, _Story] = {}
        self._titles: dict[SourceTitle | None, _Story] = {
            title: (id, None) for title, id in known.titles.items()
        }

    def decide(self, position: int, item: Candidate) -> Decision:
        counter, story = self._duplicate(item) or (ADDED, (None, position))
        # Items older than the window are not looked up in the database either.
        if counter == ADDED and item.title and item.date >= self._since:
            self._titles[item.title] = story
        for key in item.keys:
            self._keys.setdefault(key, story)
        return Decision(counter, *story)

    def _duplicate(self, item: Candidate) -> tuple[str, _Story] | None:
        url, *guids = item.keys
        if story := self._find(url):
            return "dupurl2" if url in self._known.late else "dup_url", story
        for guid in guids:
            if story := self._find(guid):
                return "dup_guid", story
        same_title = self._titles.get(item.title)
        return ("dup_title", same_title) if same_title else None

    def _find(self, key: bytes) -> _Story | None:
        if (id := self._known.stories.get(key)) is not None:
            return id, None
        return self._keys.get(key)
