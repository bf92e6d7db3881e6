"""Making a feed's stories be found anew, when something was wrong with them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, exists, select, update

from indexer.database import Database
from indexer.feeds.models import feeds, stories, story_keys, story_refs

PORTION = 10_000
"""Stories that are forgotten in one transaction."""


def clear_stories(database: Database, feed_id: int) -> int:
    """Forget the stories that only this feed has shown; how many.

    Their keys go too, and the feed's hash and validators: its next document is read again, and
    those of them that it has are new. An attempt that is under way is void. Raises StorageError:
    a feed whose clearing was broken off is to be cleared again.
    """
    cleared = 0
    while True:
        with database.writing() as connection:
            # At each step: a poll in between would have brought them back.
            connection.execute(update(feeds).where(feeds.c.id == feed_id).values(_UNREAD))
            ids = _shown_by(connection, feed_id)
            if not ids:
                return cleared
            shown = database.among(story_refs.c.story_id, ids)
            connection.execute(delete(story_refs).where(story_refs.c.feed_id == feed_id, shown))
            cleared += _forget(database, connection, ids)


_UNREAD: dict[str, Any] = {
    "last_fetch_hash": None,
    "http_etag": None,
    "http_last_modified": None,
    "validators_url": None,
    "not_modified_count": 0,
    "full_fetch_at": None,
    "queued": False,
    "lease_owner": None,
    "lease_expires": None,
}


def _shown_by(connection: Connection, feed_id: int) -> list[int]:
    """Some of the stories that a feed has shown."""
    page = select(story_refs.c.story_id).where(story_refs.c.feed_id == feed_id)
    return [*connection.scalars(page.order_by(story_refs.c.story_id).limit(PORTION))]


def _forget(database: Database, connection: Connection, ids: Sequence[int]) -> int:
    """Delete those of the stories that no feed has shown, with their keys; how many."""
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
        # Keys have no index by story, but none is older than its story.
        since = min(row.fetched_at or datetime.min for row in gone).date()
        connection.execute(
            delete(story_keys).where(
                story_keys.c.seen_on >= since,
                database.among(story_keys.c.story_id, [row.id for row in gone]),
            )
        )
    return len(gone)
