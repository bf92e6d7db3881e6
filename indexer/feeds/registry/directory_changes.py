"""Changes that a directory makes to the feeds in the database: decided feed by feed, then written.

rows and listed feeds → difference → change and columns → rows locked, read again, written
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, insert, select, update

from indexer.database import Database
from indexer.feeds.identity.places import place_of
from indexer.feeds.models import feeds
from indexer.feeds.registry.changing import moved
from indexer.feeds.registry.directory import Listed
from indexer.feeds.registry.feed_spec import FeedProblem, FeedSpec
from indexer.feeds.registry.registry import AT_ONCE, row_of
from indexer.text.chunks import chunks

Row: TypeAlias = Any
"""A feed in the database: the columns `_COMPARED`."""


class FeedChange(StrEnum):
    """Kinds of changes that a sync makes to a feed."""

    ADDED = "added"
    RESTORED = "restored"
    MOVED = "moved"
    ACTIVATED = "activated"
    DEACTIVATED = "deactivated"
    EDITED = "edited"
    UNCHANGED = "unchanged"
    REMOVED = "removed"
    REFUSED = "refused"


class Adopted(NamedTuple):
    """A feed that is fetched from another URL than the directory's, after permanent redirects."""

    id: int
    url: str
    adopted_url: str


@dataclass(slots=True)
class Synced:
    """What a sync did, or would do. `changes`: the number of feeds by kind of change.

    `listed`: how many feeds the directory sent; `since`, `now`: the time span of its changes.
    """

    full: bool
    dry_run: bool
    since: float
    now: float
    listed: int = 0
    changes: dict[str, int] = field(default_factory=dict)
    deleted: int = 0
    problems: list[FeedProblem] = field(default_factory=list)
    adopted: list[Adopted] = field(default_factory=list)
    adopted_count: int = 0

    def count(self, change: FeedChange, number: int = 1) -> None:
        """Count feeds with one kind of change."""
        if number:
            self.changes[change] = self.changes.get(change, 0) + number


def difference(row: Row, listed: Listed) -> tuple[FeedChange, Mapping[str, Any]]:
    """Compare a feed with the directory's. Returns the kind of change and the new columns.

    Where several kinds apply, the last one counts: `restored` says more than `edited`.
    """
    values: dict[str, Any] = {}
    change = FeedChange.UNCHANGED
    if (row.name or None) != listed.name:
        values["name"] = listed.name
    if row.sources_id != listed.sources_id:
        values["sources_id"] = listed.sources_id
    if values:
        change = FeedChange.EDITED
    if row.active and not listed.active:
        values["active"] = False
        change = FeedChange.DEACTIVATED
    if not row.active and listed.active:
        # The next poll, planned before the feed was deactivated, may be weeks away.
        values |= {"active": True, "next_fetch_attempt": None}
        change = FeedChange.ACTIVATED
    if row.url != listed.url:
        values |= moved(listed.url)
        change = FeedChange.MOVED
    if row.removed_at is not None:
        values |= {"removed_at": None, "next_fetch_attempt": None}
        change = FeedChange.RESTORED
    return change, values


class Applying:
    """Writes the directory's changes; a dry run only counts them."""

    def __init__(self, database: Database, synced: Synced, now: datetime) -> None:
        self._database = database
        self._synced = synced
        self._now = now

    def apply(self, connection: Connection, listed: Sequence[Listed]) -> None:
        """Add and change feeds."""
        for some in chunks(sorted(listed), AT_ONCE):
            rows = self._rows(connection, [feed.id for feed in some])
            changing = [
                feed.id
                for feed in some
                if feed.id in rows
                and difference(rows[feed.id], feed)[0] is not FeedChange.UNCHANGED
            ]
            # Only rows that change are locked, so that savers rarely wait. A saver may have changed
            # other columns meanwhile, so the rows are read again.
            if changing and not self._synced.dry_run:
                rows |= self._rows(connection, changing, lock=True)
            for feed in some:
                if feed.id in rows:
                    self._change(connection, rows[feed.id], feed)
            self._insert(connection, [feed for feed in some if feed.id not in rows])

    def remove(self, connection: Connection, ids: Sequence[int]) -> None:
        """Mark feeds as removed: they stay in the table with their events."""
        self._synced.count(FeedChange.REMOVED, len(ids))
        if self._synced.dry_run:
            return
        for some in chunks(ids, AT_ONCE):
            among = self._database.among(feeds.c.id, some)
            # UPDATE locks rows in any order; all other writers lock them by id.
            locked = select(feeds.c.id).where(among).order_by(feeds.c.id).with_for_update()
            connection.execute(locked).all()
            connection.execute(update(feeds).where(among).values(removed_at=self._now))

    def _rows(
        self, connection: Connection, ids: Sequence[int], *, lock: bool = False
    ) -> dict[int, Row]:
        statement = select(*_COMPARED).where(self._database.among(feeds.c.id, ids))
        if lock:
            statement = statement.order_by(feeds.c.id).with_for_update()
        return {row.id: row for row in connection.execute(statement)}

    def _change(self, connection: Connection, row: Row, listed: Listed) -> None:
        change, values = difference(row, listed)
        self._synced.count(change)
        if values and not self._synced.dry_run:
            connection.execute(update(feeds).where(feeds.c.id == row.id).values(values))

    def _insert(self, connection: Connection, new: Sequence[Listed]) -> None:
        self._synced.count(FeedChange.ADDED, len(new))
        if new and not self._synced.dry_run:
            rows = [row_of(feed.id, _spec(feed), place_of(feed.url), self._now) for feed in new]
            connection.execute(insert(feeds), rows)


_COMPARED = (
    feeds.c.id,
    feeds.c.url,
    feeds.c.name,
    feeds.c.sources_id,
    feeds.c.active,
    feeds.c.removed_at,
)


def _spec(listed: Listed) -> FeedSpec:
    return FeedSpec(
        listed.url,
        listed.name or "",
        listed.sources_id,
        active=listed.active,
        created_at=listed.created_at,
    )
