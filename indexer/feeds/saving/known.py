"""What the database knows of items: their keys, and titles of their source; nothing is changed."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from sqlalchemy import Connection, func, select

from indexer.database import Database
from indexer.feeds.attempt import NewItem
from indexer.feeds.identity.identity import guid_key, url_key
from indexer.feeds.models import stories, story_keys
from indexer.text.chunks import chunks

AT_ONCE = 10_000
"""Values in one question: SQLite takes 32,766."""

NOTED_AFTER = timedelta(days=30)
"""Keys are kept for years: that one is still seen is noted this often."""

FORGOTTEN = 0
"""Instead of the id of a story that was forgotten: its keys are still known."""


def keys_of(item: NewItem, feed_id: int) -> list[bytes]:
    """The keys of a feed's item: the URL's first."""
    guid = guid_key(feed_id, item.guid) if item.guid and item.guid_means else None
    return [url_key(item.identity), *([guid] if guid else [])]


class KnownItems:
    """Asks in a transaction of the caller's. Its methods raise what the database does.

    `stale` are the keys, of those asked for, that were not noted as seen for long.
    """

    def __init__(self, database: Database, connection: Connection, now: datetime) -> None:
        self.stale: set[bytes] = set()
        self._database = database
        self._connection = connection
        self._now = now

    def stories(self, keys: Iterable[bytes]) -> dict[bytes, int]:
        """The story of each key that there is; FORGOTTEN where it is no more."""
        found: dict[bytes, int] = {}
        long_ago = (self._now - NOTED_AFTER).date()
        both = story_keys.outerjoin(stories, stories.c.id == story_keys.c.story_id)
        columns = select(story_keys.c.key, story_keys.c.seen_on, stories.c.id).select_from(both)
        for some in chunks(dict.fromkeys(keys), AT_ONCE):
            asked = columns.where(self._database.among(story_keys.c.key, some))
            for key, seen_on, id in self._connection.execute(asked):
                found[bytes(key)] = id or FORGOTTEN
                if seen_on < long_ago:
                    self.stale.add(bytes(key))
        return found

    def titles(
        self, wanted: Collection[tuple[str, int]], since: datetime
    ) -> dict[tuple[str, int], int]:
        """The newest story of each title hash in its source, of those dated since then."""
        found: dict[tuple[str, int], int] = {}
        date = func.coalesce(stories.c.published_at, stories.c.fetched_at)
        pair = (stories.c.normalized_title_hash, stories.c.sources_id)
        for some in chunks(wanted, AT_ONCE // 2):
            statement = (
                select(*pair, func.max(stories.c.id))
                .where(
                    self._database.among(pair[0], sorted({title for title, _ in some})),
                    self._database.among(pair[1], sorted({source for _, source in some})),
                    date >= since,
                    date <= self._now + timedelta(days=1),
                )
                .group_by(*pair)
            )
            for title, source, id in self._connection.execute(statement):
                found[title, source] = id
        return found
