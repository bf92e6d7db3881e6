"""Deletes old rows, in small transactions (feeds.md 2.3).

    events, except the newest of each feed → old refs → stories without refs
    → very old keys of deleted stories → unused rows of `paces`

Keys outlive their stories: items that a feed still shows after an outage are not announced again.
Each transaction is short and uses an index, so that polls hardly wait. An interrupted run loses
nothing, and several may run at once.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    and_,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    tuple_,
)

from indexer.database import Database
from indexer.feeds.models import fetch_events, paces, stories, story_keys, story_refs
from indexer.feeds.store import FeedsOptions
from indexer.system.options import option
from indexer.text.chunks import chunks

PORTION = 1000
"""Rows read or deleted in one transaction."""

FEEDS, EVENTS = 100, 20_000
"""Feeds whose events are ranked by one query, and the most old events that it returns."""

BEFORE_ALL = -(1 << 62)

PACE_AGE = timedelta(days=1)


class RetentionOptions(FeedsOptions):
    """How long each kind of row is kept."""

    fetch_event_rows: Annotated[int, Field(ge=1)] = option(
        30, "events kept for each feed, the newest", "FETCH_EVENT_ROWS"
    )
    rss_output_days: Annotated[int, Field(ge=1, le=36_500)] = option(
        14, "days for which a story is kept after it was last in a feed", "RSS_OUTPUT_DAYS"
    )
    normalized_title_days: Annotated[int, Field(ge=0, le=36_500)] = option(
        7, "the same; the greater of the two counts", "NORMALIZED_TITLE_DAYS"
    )
    # At least 60, as `seen_on` of a key that is still seen may be a month old.
    tombstone_days: Annotated[int, Field(ge=60, le=36_500)] = option(
        730, "days after which a story that no feed shows any more counts as new again",
        "TOMBSTONE_DAYS",
    )  # fmt: skip

    def stories_since(self, today: date) -> datetime:
        """Stories seen since that moment are kept."""
        days = max(self.rss_output_days, self.normalized_title_days)
        return datetime.combine(today - timedelta(days=days), time.min)

    def keys_since(self, today: date) -> date:
        """Keys seen since that day are kept."""
        return today - timedelta(days=self.tombstone_days)


@dataclass(slots=True)
class PrunedFeeds:
    """The number of old or deleted rows of each table."""

    events: int = 0
    refs: int = 0
    stories: int = 0
    keys: int = 0
    paces: int = 0


Progress = Callable[[PrunedFeeds], None]


def prune(
    database: Database,
    options: RetentionOptions,
    now: datetime,
    *,
    delete: bool,
    progress: Progress = lambda _: None,
) -> PrunedFeeds:
    """Count the old rows, and delete them if `delete` is true.

    Without `delete` nothing is written; stories with only old refs are counted as old. Raises
    StorageError: rows deleted before stay deleted.
    """
    return _Pruner(database, options, now, delete, progress).run()


@dataclass(slots=True)
class _Pruner:
    """One run."""

    _database: Database
    _options: RetentionOptions
    _now: datetime
    _delete: bool
    _progress: Progress
    pruned: PrunedFeeds = field(default_factory=PrunedFeeds)

    def run(self) -> PrunedFeeds:
        """Prune all tables; stories after refs, and keys after stories, as they depend on them."""
        self._events()
        self._refs(self._options.stories_since(self._now.date()))
        self._stories(self._options.stories_since(self._now.date()))
        self._keys(self._options.keys_since(self._now.date()))
        self._paces(self._now - PACE_AGE)
        return self.pruned

    def _events(self) -> None:
        id, feed = fetch_events.c.id, fetch_events.c.feed_id
        place = func.row_number().over(partition_by=feed, order_by=id.desc())
        last = BEFORE_ALL
        # Some feeds at a time: ranking all events in one query takes too long.
        while ids := self._feeds_after(last):
            ranked = select(id, place.label("place")).where(feed > last, feed <= ids[-1]).subquery()
            old = select(ranked.c.id).where(ranked.c.place > self._options.fetch_event_rows)
            if self._delete:
                self._delete_events(old.limit(EVENTS))
            else:
                found = self._read(select(func.count()).select_from(old.subquery()))
                self.pruned.events += found[0][0]
                self._progress(self.pruned)
            last = ids[-1]

    def _delete_events(self, old: Select[Any]) -> None:
        id = fetch_events.c.id
        while rows := self._read(old):
            before = self.pruned.events
            for some in chunks([row.id for row in rows], PORTION):
                self.pruned.events += self._take(len(some), (id,), self._database.among(id, some))
            # Without progress all rows are locked: the query would return them again.
            if len(rows) < EVENTS or self.pruned.events == before:
                break

    def _feeds_after(self, last: int) -> list[int]:
        feed = fetch_events.c.feed_id
        page = select(feed).where(feed > last).distinct().order_by(feed).limit(FEEDS)
        return [row.feed_id for row in self._read(page)]

    def _refs(self, since: datetime) -> None:
        story, feed, seen = story_refs.c.story_id, story_refs.c.feed_id, story_refs.c.seen_at
        page = select(story, feed, seen).where(seen < since)
        for rows in self._pages(page, (seen, story, feed)):
            ids = sorted({row.story_id for row in rows})
            # Refs seen again since the page was read stay; other refs that match are old, too.
            old = and_(self._database.among(story, ids), seen < since)
            self.pruned.refs += self._take(len(rows), (story, feed), old)

    def _stories(self, since: datetime) -> None:
        id, fetched = stories.c.id, stories.c.fetched_at
        kept = exists().where(story_refs.c.story_id == id)
        if not self._delete:
            kept = kept.where(or_(story_refs.c.seen_at >= since, story_refs.c.seen_at.is_(None)))
        # No ref is older than its story: younger stories have young refs.
        page = select(id, fetched, kept.label("kept")).where(fetched < since)
        for rows in self._pages(page, (fetched, id)):
            ids = [row.id for row in rows if not row.kept]
            gone = and_(self._database.among(id, ids), ~kept)
            self.pruned.stories += self._take(len(ids), (id,), gone)

    def _keys(self, since: date) -> None:
        key, seen = story_keys.c.key, story_keys.c.seen_on
        kept = exists().where(stories.c.id == story_keys.c.story_id)
        page = select(key, seen, kept.label("kept")).where(seen < since)
        for rows in self._pages(page, (seen, key)):
            keys = [bytes(row.key) for row in rows if not row.kept]
            gone = and_(self._database.among(key, keys), seen < since, ~kept)
            self.pruned.keys += self._take(len(keys), (key,), gone)

    def _paces(self, before: datetime) -> None:
        key, start, blocked = paces.c.key, paces.c.next_start, paces.c.blocked_until
        is_old = and_(
            or_(start.is_(None), start < before), or_(blocked.is_(None), blocked < before)
        )
        for rows in self._pages(select(key).where(is_old), (key,)):
            keys = [row.key for row in rows]
            gone = and_(self._database.among(key, keys), is_old)
            self.pruned.paces += self._take(len(keys), (key,), gone)

    def _pages(
        self, page: Select[Any], order: Sequence[ColumnElement[Any]]
    ) -> Iterator[Sequence[Row[Any]]]:
        """The rows of a query in pages, ordered by columns of which the first has an index."""
        page = page.order_by(*order).limit(PORTION)
        rows = self._read(page)
        while rows:
            yield rows
            last = rows[-1]
            values = [literal(last._mapping[column], column.type) for column in order]
            after = tuple_(*order) > tuple_(*values)
            # SQLite finds its place in the index by the first column alone, not by row values.
            rest = page.where(order[0] >= values[0], after)
            rows = self._read(rest) if len(rows) == PORTION else []

    def _read(self, statement: Select[Any]) -> Sequence[Row[Any]]:
        with self._database.reading() as connection:
            return connection.execute(statement).all()

    def _take(self, found: int, key: Sequence[ColumnElement[Any]], old: ColumnElement[bool]) -> int:
        """Delete the rows of a page, if `delete` is true. Returns the number of rows."""
        if self._delete and found:
            # Rows that another transaction has locked are left for the next run: waiting for
            # them could deadlock.
            chosen = select(*key).where(old).correlate(None).with_for_update(skip_locked=True)
            place = key[0] if len(key) == 1 else tuple_(*key)
            with self._database.writing() as connection:
                found = connection.execute(delete(key[0].table).where(place.in_(chosen))).rowcount
        self._progress(self.pruned)
        return found
