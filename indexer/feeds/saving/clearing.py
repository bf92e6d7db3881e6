"""Deletes the stories of a feed, so that its next poll finds them again: repairs wrong stories."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, exists, select, update

from indexer.database import Database
from indexer.feeds.models import NOT_LEASED, UNREAD, feeds, stories, story_keys, story_refs

PORTION = 10_000
"""Stories deleted in one transaction."""


def clear_stories(database: Database, feed_id: int) -> int:
    """Delete the stories that only this feed has shown, with their keys. Returns their number.

    The feed's hash and validators are cleared, so that its next document is read. An attempt under
    way loses its lease. Raises StorageError: call it again, as some stories may be left.
    """
    cleared = 0
    while True:
        with database.writing() as connection:
            # In each transaction: a poll in between may have set the hash again.
            connection.execute(
                update(feeds).where(feeds.c.id == feed_id).values(UNREAD | NOT_LEASED)
            )
            page = select(story_refs.c.story_id).where(story_refs.c.feed_id == feed_id)
            page = page.order_by(story_refs.c.story_id).limit(PORTION)
            ids = connection.scalars(page).all()
            if not ids:
                return cleared
            shown = database.among(story_refs.c.story_id, ids)
            connection.execute(delete(story_refs).where(story_refs.c.feed_id == feed_id, shown))
            cleared += _delete_unshown(database, connection, ids)


def _delete_unshown(database: Database, connection: Connection, ids: Sequence[int]) -> int:
    """Delete the stories without refs among these, with their keys. Returns their number."""
    statement = (
        delete(stories)
        .where(
            database.among(stories.c.id, ids),
            ~exists().where(story_refs.c.story_id == stories.c.id),
        )
        .returning(stories.c.id, stories.c.fetched_at)
    )
    gone = connection.execute(statement).all()
    if gone:
        # Keys have an index by day, not by story; no key is older than its story.
        since = min(row.fetched_at or datetime.min for row in gone).date()
        connection.execute(
            delete(story_keys).where(
                story_keys.c.seen_on >= since,
                database.among(story_keys.c.story_id, [row.id for row in gone]),
            )
        )
    return len(gone)
