"""What would become of items if they were saved now: as `deciding` has it, but nothing is written.

its URL is known → dup_url    its guid is → dup_guid    its title, this week → dup_title    ok
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, time, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from indexer.chunks import chunks
from indexer.database import Database
from indexer.feeds.attempt import Item
from indexer.feeds.deciding import ADDED, AT_ONCE
from indexer.feeds.identity import guid_key, url_key
from indexer.feeds.models import stories, story_keys

LOOKING_SECONDS = 60.0

ANOTHER_ITEM = -1
"""Stands for the id of a story that an item before it in the document would become."""

FORGOTTEN = 0
"""Stands for that of one whose row is gone: only that it was there is remembered."""


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


def foresee(database: Database, items: Sequence[Item], view: Viewpoint) -> list[Fate]:
    """The fate of each item, in their order. Raises StorageError."""
    keys = [_keys(item, view.feed_id) for item in items]
    with database.reading(LOOKING_SECONDS) as connection:
        known = _known(database, connection, (key for each in keys for key in each))
        titles = _titles(database, connection, items, view)
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
    item: Item,
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


def _keys(item: Item, feed_id: int) -> list[bytes]:
    """The URL's first."""
    guid = guid_key(feed_id, item.guid) if item.guid and item.guid_means else None
    return [url_key(item.identity), *([guid] if guid else [])]


def _known(database: Database, connection: Connection, keys: Iterable[bytes]) -> dict[bytes, int]:
    both = story_keys.outerjoin(stories, stories.c.id == story_keys.c.story_id)
    columns = select(story_keys.c.key, stories.c.id).select_from(both)
    found: dict[bytes, int] = {}
    for some in chunks(dict.fromkeys(keys), AT_ONCE):
        asked = columns.where(database.among(story_keys.c.key, some))
        found |= {bytes(key): id or FORGOTTEN for key, id in connection.execute(asked)}
    return found


def _titles(
    database: Database, connection: Connection, items: Sequence[Item], view: Viewpoint
) -> dict[str, int]:
    """The newest story of the source with each title, of those of the last days."""
    found: dict[str, int] = {}
    if not view.sources_id:
        return found
    title = stories.c.normalized_title_hash
    date = func.coalesce(stories.c.published_at, stories.c.fetched_at)
    wanted = sorted({item.title_hash for item in items if item.title_hash})
    for some in chunks(wanted, AT_ONCE):
        asked = (
            select(title, func.max(stories.c.id))
            .where(
                database.among(title, some),
                stories.c.sources_id == view.sources_id,
                date >= view.since,
                date <= view.now + timedelta(days=1),
            )
            .group_by(title)
        )
        found |= {row[0]: row[1] for row in connection.execute(asked)}
    return found
