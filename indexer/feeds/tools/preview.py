"""What the saver would decide about a feed's items if it stored them now; nothing is written."""

from collections.abc import Sequence
from datetime import datetime

from indexer.database import Database
from indexer.feeds.attempt import NewItem
from indexer.feeds.saving.deciding import (
    Decision,
    KnownStories,
    candidate,
    decide,
    first_title_date,
)
from indexer.feeds.saving.story_lookup import StoryLookup

QUERY_SECONDS = 60.0


def preview(
    database: Database,
    items: Sequence[NewItem],
    feed_id: int,
    sources_id: int | None,
    now: datetime,
    title_days: int,
) -> list[Decision]:
    """The decision about each item of a feed, in their order. Raises StorageError."""
    candidates = [candidate(item, feed_id, sources_id, now) for item in items]
    since = first_title_date(now, title_days)
    with database.reading(QUERY_SECONDS) as connection:
        lookup = StoryLookup(database, connection, now)
        known = KnownStories(
            lookup.stories(key for each in candidates for key in each.keys),
            lookup.titles({each.title for each in candidates if each.title}, since),
        )
    return decide(candidates, known, since)
