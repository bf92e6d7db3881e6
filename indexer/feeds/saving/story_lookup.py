"""Queries for stories that items may repeat: by key, and by title within a source."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Connection, func, select

from indexer.database import Database
from indexer.feeds.models import stories, story_keys
from indexer.feeds.saving.deciding import DELETED, SourceTitle
from indexer.text.chunks import chunks

AT_ONCE = 10_000
"""Parameters of one query: SQLite accepts 32,766."""

NOTED_AFTER = timedelta(days=30)
"""The age after which a key's `seen_on` is updated: updating it at each poll would cost a write."""


@dataclass
class StoryLookup:
    """Runs its queries in the caller's transaction; its methods raise the database's errors.

    `stale` holds the keys found so far whose `seen_on` should be updated.
    """

    database: Database
    connection: Connection
    now: datetime
    stale: set[bytes] = field(default_factory=set)

    def stories(self, keys: Iterable[bytes]) -> dict[bytes, int]:
        """The story id of each stored key; DELETED if the story was deleted."""
        found: dict[bytes, int] = {}
        long_ago = (self.now - NOTED_AFTER).date()
        both = story_keys.outerjoin(stories, stories.c.id == story_keys.c.story_id)
        columns = select(story_keys.c.key, story_keys.c.seen_on, stories.c.id).select_from(both)
        for some in chunks(dict.fromkeys(keys), AT_ONCE):
            wanted = columns.where(self.database.among(story_keys.c.key, some))
            for key, seen_on, id in self.connection.execute(wanted).all():
                found[bytes(key)] = id or DELETED
                if seen_on < long_ago:
                    self.stale.add(bytes(key))
        return found

    def titles(self, wanted: Collection[SourceTitle], since: datetime) -> dict[SourceTitle, int]:
        """The id of the newest story of each title, of those dated since then."""
        found: dict[SourceTitle, int] = {}
        date = func.coalesce(stories.c.published_at, stories.c.fetched_at)
        pair = (stories.c.normalized_title_hash, stories.c.sources_id)
        for some in chunks(wanted, AT_ONCE // 2):
            statement = (
                select(*pair, func.max(stories.c.id))
                .where(
                    self.database.among(pair[0], sorted({title for title, _ in some})),
                    self.database.among(pair[1], sorted({source for _, source in some})),
                    date >= since,
                    # A feed with dates in the future must not hide later stories for years.
                    date <= self.now + timedelta(days=1),
                )
                .group_by(*pair)
            )
            for title, source, id in self.connection.execute(statement):
                found[title, source] = id
        return found
