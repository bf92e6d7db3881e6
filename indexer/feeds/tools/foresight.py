"""What would become of items if they were saved now: as `deciding` has it, but nothing is written.

its URL is known → dup_url    its guid is → dup_guid    its title, this week → dup_title    ok
"""

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import NamedTuple

from indexer.database import Database
from indexer.feeds.attempt import NewItem
from indexer.feeds.saving.deciding import ADDED
from indexer.feeds.saving.known import KnownItems, keys_of

LOOKING_SECONDS = 60.0

ANOTHER_ITEM = -1
"""Stands for the id of a story that an item before it in the document would become."""


class Fate(NamedTuple):
    """The counter of feeds.md 8, and of a duplicate the story that it is one of."""

    counter: str
    story: int | None = None


class Viewpoint(NamedTuple):
    """From where items are looked at: as those of a feed of a source, on a day."""

    feed_id: int
    sources_id: int | None
    now: datetime
    title_days: int

    @property
    def since(self) -> datetime:
        """The first moment whose titles count."""
        return datetime.combine((self.now - timedelta(days=self.title_days)).date(), time.min)


def foresee(database: Database, items: Sequence[NewItem], view: Viewpoint) -> list[Fate]:
    """The fate of each item, in their order. Raises StorageError."""
    keys = [keys_of(item, view.feed_id) for item in items]
    with database.reading(LOOKING_SECONDS) as connection:
        there = KnownItems(database, connection, view.now)
        known = there.stories(key for each in keys for key in each)
        found = there.titles(_titles(items, view.sources_id), view.since)
        titles = {title: id for (title, _), id in found.items()}
    fates = []
    for item, (url, *others) in zip(items, keys, strict=True):
        fate = _fate(item, url, others, known, titles)
        if fate.counter == ADDED and (item.published_at or view.now) >= view.since:
            titles[item.title_hash] = ANOTHER_ITEM
        story = ANOTHER_ITEM if fate.story is None else fate.story
        for key in (url, *others):
            known.setdefault(key, story)
        fates.append(fate)
    return fates


def _fate(
    item: NewItem,
    url: bytes,
    others: Sequence[bytes],
    known: dict[bytes, int],
    titles: dict[str, int],
) -> Fate:
    if url in known:
        return Fate("dup_url", known[url])
    for key in others:
        if key in known:
            return Fate("dup_guid", known[key])
    if item.title_hash and item.title_hash in titles:
        return Fate("dup_title", titles[item.title_hash])
    return Fate(ADDED)


def _titles(items: Sequence[NewItem], sources_id: int | None) -> set[tuple[str, int]]:
    """Those that no two stories of the source share; without a source there are none."""
    return {(each.title_hash, sources_id) for each in items if each.title_hash and sources_id}
