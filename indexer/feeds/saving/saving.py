"""Ends attempts: stories, refs, event, next poll and lease, in one transaction.

    lock feeds → check the lease → store items → set columns → add event → release

Every attempt that still has its lease ends here, successful or not. An attempt whose lease a later
claim has taken changes nothing. If the message of an ended attempt is delivered again, its stories
are returned again, as they may not have been sent.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, bindparam, select, update

from indexer.database import Database
from indexer.database.bulk import insert_rows, update_rows
from indexer.errors import RefusedValue, StorageError
from indexer.feeds.attempt import POSTPONED, Attempt, ItemCounts, NewStory
from indexer.feeds.events import event
from indexer.feeds.feed import Feed
from indexer.feeds.fetching import conditional, redirects
from indexer.feeds.fetching.conditional import ConditionalOptions
from indexer.feeds.fetching.redirects import RedirectOptions
from indexer.feeds.models import NOT_LEASED, feeds, fetch_events, stories, story_refs
from indexer.feeds.polling import schedule
from indexer.feeds.polling.schedule_options import ScheduleOptions
from indexer.feeds.saving.storing import store_items
from indexer.feeds.statuses import CAUGHT_EXCEPTION
from indexer.system.loggers import get_logger
from indexer.system.options import option
from indexer.text.cleaning import one_line

SAVED, RELEASED, STALE, MISSING, AGAIN = "saved", "postponed", "stale", "missing", "again"
UNSAVABLE = "unsavable"

log = get_logger()

SERVER = "feeds"
"""The origin that is named in stories: `ID@feeds`."""


class SaveOptions(ScheduleOptions, ConditionalOptions, RedirectOptions):
    """Part of the options of the programs that end attempts."""

    normalized_title_days: int = option(
        7,
        "days within which a source's item with the title of another is a duplicate",
        "NORMALIZED_TITLE_DAYS",
    )


class IntervalChange(NamedTuple):
    """A feed's interval in minutes, before and after an attempt.

    `missed`: no item of the previous poll was seen again, so items in between may be missing.
    """

    before: int | None
    after: int | None
    missed: bool


class Saved(NamedTuple):
    """The result for one attempt: one of the statuses above, and its new stories.

    An attempt with a document has `counts`; a saved one has a `change`.
    """

    status: str
    stories: Sequence[NewStory] = ()
    counts: ItemCounts | None = None
    change: IntervalChange | None = None


class _Leased(NamedTuple):
    """An attempt that still has its lease, and the current row of its feed."""

    attempt: Attempt
    feed: Feed


@dataclass
class Saver:
    """Ends attempts. `chance` returns random numbers from 0 to 1.

    `announces`: new stories are returned; otherwise they are only stored.
    """

    database: Database
    options: SaveOptions
    chance: Callable[[], float] = random.random
    announces: bool = True

    def save(self, attempts: Sequence[Attempt], now: datetime) -> list[Saved]:
        """End attempts in one transaction; if one cannot be stored, each gets its own.

        Raises StorageError: save the batch again, as saved attempts are recognised.
        """
        try:
            return self._save_batch(attempts, now)
        except Exception as error:
            if _is_infrastructure_failure(error):
                raise
            if len(attempts) > 1:
                return [saved for each in attempts for saved in self.save([each], now)]
            # A failure is saved instead: without an end the feed would be polled again when its
            # lease expires, and fail again.
            return [self._save_failed(_failed(attempts[0], error), now)]

    def _save_failed(self, attempt: Attempt, now: datetime) -> Saved:
        try:
            return self._save_batch([attempt], now)[0]
        except Exception as error:
            if _is_infrastructure_failure(error):
                raise
            log.exception("cannot save the end of an attempt", feed=attempt.label)
            return Saved(UNSAVABLE)

    def _save_batch(self, attempts: Sequence[Attempt], now: datetime) -> list[Saved]:
        with self.database.writing() as connection:
            known = self._lock(connection, attempts)
            leased: dict[int, _Leased] = {}
            results: dict[int, Saved] = {}
            for number, attempt in enumerate(attempts):
                feed = known.get(attempt.poll.feed_id)
                if feed is None:
                    results[number] = Saved(MISSING)
                elif feed.lease_owner != attempt.poll.lease:
                    results[number] = self._ended_before(connection, attempt, feed)
                else:
                    leased[number] = _Leased(attempt, feed)
                    # The same message may be twice in a batch.
                    known[feed.id] = replace(
                        feed, lease_owner=None, last_fetch_attempt=attempt.started
                    )
            ended = self._end(connection, list(leased.values()), now)
            results |= dict(zip(leased, ended, strict=True))
        return [results[number] for number in range(len(attempts))]

    def _lock(self, connection: Connection, attempts: Sequence[Attempt]) -> dict[int, Feed]:
        # In the order of ids: savers that locked rows in different orders would deadlock.
        ids = sorted({attempt.poll.feed_id for attempt in attempts})
        statement = (
            select(feeds)
            .where(self.database.among(feeds.c.id, ids))
            .order_by(feeds.c.id)
            .with_for_update()
        )
        return {row["id"]: Feed.of(row) for row in connection.execute(statement).mappings()}

    def _ended_before(self, connection: Connection, attempt: Attempt, feed: Feed) -> Saved:
        statement = (
            select(stories)
            .where(stories.c.feed_id == feed.id, stories.c.fetched_at == attempt.started)
            .order_by(stories.c.id)
        )
        rows = connection.execute(statement).mappings().all()
        # Without stories, only the feed's last attempt is known to have ended: if the feed was
        # polled again since, nothing tells whether this attempt was saved.
        if not rows and feed.last_fetch_attempt != attempt.started:
            return Saved(STALE)
        again = rows if self.announces else ()
        return Saved(AGAIN, [_new_story(attempt, row["id"], dict(row)) for row in again])

    def _end(self, connection: Connection, leased: Sequence[_Leased], now: datetime) -> list[Saved]:
        fetched = [each for each in leased if each.attempt.status != POSTPONED]
        attempts = [each.attempt for each in fetched]
        days = self.options.normalized_title_days
        stored = iter(store_items(self.database, connection, attempts, now, days))
        self._renew_refs(connection, fetched)
        rows, events, results = [], [], []
        for attempt, feed in leased:
            if attempt.status == POSTPONED:
                rows.append({**_current(feed), **_RELEASED, "deferred_until": attempt.until})
                results.append(Saved(RELEASED))
                continue
            items = next(stored)
            counts = items.counts if attempt.document else None
            columns = self._columns(attempt, feed, counts, now)
            disabled = not columns["system_enabled"] and feed.system_enabled
            seconds = (now - attempt.started).total_seconds()
            rows.append(columns)
            events.append(event(attempt, counts, seconds, disabled=disabled))
            added = items.added if self.announces else ()
            new = [_new_story(attempt, id, msgspec.structs.asdict(item)) for id, item in added]
            results.append(Saved(SAVED, new, counts, _change(feed, columns)))
        if rows:
            update_rows(self.database, connection, feeds, rows)
        if events:
            insert = self.database.insert(fetch_events)
            insert_rows(self.database, connection, insert, events)
        return results

    def _columns(
        self, attempt: Attempt, feed: Feed, counts: ItemCounts | None, now: datetime
    ) -> dict[str, Any]:
        """All columns of the feed's row that attempts may set."""
        document = attempt.document
        titled = {"rss_title": document.title} if document and document.title else {}
        return {
            **_current(feed),
            **titled,
            **conditional.after(feed, attempt),
            **redirects.after(feed, attempt, self.options),
            **schedule.after(feed, attempt, counts, now, self.options, self.chance),
            **_RELEASED,
        }

    def _renew_refs(self, connection: Connection, fetched: Sequence[_Leased]) -> None:
        """Note that all items of an unchanged document were seen again (feeds.md 2.3)."""
        rows = [
            {"feed": feed.id, "before": feed.last_parse_success, "now": attempt.started}
            for attempt, feed in fetched
            if attempt.unchanged and feed.last_parse_success
        ]
        if rows:
            connection.execute(_RENEW_REFS, rows)


_RELEASED = {**NOT_LEASED, "deferred_until": None}

_SET = tuple(
    column.name
    for column in feeds.columns
    if column.name
    not in (
        # Columns of the directory and of operators, and a generated one.
        *("id", "sources_id", "name", "url", "active", "created_at", "removed_at"),
        *("poll_minutes_override", "ready_at"),
    )
)

_RENEW_REFS = (
    update(story_refs)
    .where(story_refs.c.feed_id == bindparam("feed"), story_refs.c.seen_at == bindparam("before"))
    .values(seen_at=bindparam("now"))
)


def _current(feed: Feed) -> dict[str, Any]:
    """The row as it is: all rows of one update must have the same columns."""
    return {"id": feed.id, **{name: getattr(feed, name) for name in _SET}}


def _is_infrastructure_failure(error: Exception) -> bool:
    """Whether the database failed, rather than refused a value of one attempt."""
    return isinstance(error, StorageError) and not isinstance(error, RefusedValue)


def _failed(attempt: Attempt, error: Exception) -> Attempt:
    detail = one_line(repr(error), 200)
    return replace(
        attempt, status=CAUGHT_EXCEPTION, detail=detail, document=None, unchanged="", parts=[]
    )


def _change(feed: Feed, columns: Mapping[str, Any]) -> IntervalChange:
    missed = columns["missed_alarms"] > feed.missed_alarms
    return IntervalChange(feed.poll_minutes, columns["poll_minutes"], missed)


def _new_story(attempt: Attempt, id: int, story: Mapping[str, Any]) -> NewStory:
    """The message for the stories family's programs: `RSSEntry` of seed 000."""
    published = story["published_at"]
    return NewStory(
        rss_entry={
            "link": story["url"],
            "title": story["title"],
            "domain": story["domain"] or None,
            "pub_date": format_datetime(published.replace(tzinfo=UTC)) if published else None,
            "fetch_date": attempt.started.date().isoformat(),
            "source_url": attempt.poll.url,
            "source_feed_id": attempt.poll.feed_id,
            "source_source_id": attempt.poll.sources_id,
            "via": f"{id}@{SERVER}",
        }
    )
