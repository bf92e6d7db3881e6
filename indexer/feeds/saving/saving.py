"""The end of attempts: stories, refs, event, next time and lease, all in one transaction.

    feeds locked → is the lease still this attempt's? → items decided → columns → event → released

Every attempt that still has its lease ends here, whatever became of it. One whose lease was taken
by a later claim changes nothing. One that has ended already, and whose message comes again, gives
the same stories again: they may not have been sent on.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any, NamedTuple

import msgspec
import structlog
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
from indexer.feeds.models import feeds, fetch_events, stories, story_refs
from indexer.feeds.polling import schedule
from indexer.feeds.polling.schedule_options import ScheduleOptions
from indexer.feeds.saving.storing import StoredItems, store_items
from indexer.feeds.statuses import CAUGHT_EXCEPTION
from indexer.system.options import option
from indexer.text.cleaning import one_line

SAVED, RELEASED, STALE, MISSING, AGAIN = "saved", "postponed", "stale", "missing", "again"
UNSAVABLE = "unsavable"

log = structlog.get_logger()

SERVER = "feeds"
"""Where a story that is handed on says it comes from: `ID@feeds`."""


class SaveOptions(ScheduleOptions, ConditionalOptions, RedirectOptions):
    """Part of the options of the programs that end attempts."""

    normalized_title_days: int = option(
        7,
        "days in which no two stories of a source have the same title",
        "NORMALIZED_TITLE_DAYS",
    )


class IntervalChange(NamedTuple):
    """What an attempt has done to its feed's interval, in minutes, and whether it came too late.

    `missed`: nothing of the poll before was seen again, so there may have been more between.
    """

    before: int | None
    after: int | None
    missed: bool


class Saved(NamedTuple):
    """How the saving of an attempt ended: one of the statuses above, and its new stories.

    `counts` are those of a document, `change` that of an attempt that was saved.
    """

    status: str
    stories: Sequence[NewStory] = ()
    counts: ItemCounts | None = None
    change: IntervalChange | None = None


class _Turn(NamedTuple):
    """An attempt that still has its lease, and its feed as it is now."""

    attempt: Attempt
    feed: Feed


class Saver:
    """Ends attempts. Its methods raise StorageError; then nothing of a batch is saved."""

    def __init__(
        self,
        database: Database,
        options: SaveOptions,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """`chance` gives numbers from 0 to 1."""
        self._database = database
        self._options = options
        self._chance = chance

    def save(self, attempts: Sequence[Attempt], now: datetime) -> list[Saved]:
        """End attempts, in one transaction; one that can't be stored costs only itself."""
        try:
            return self._together(attempts, now)
        except Exception as error:
            if _is_everybodys(error):
                raise
            if len(attempts) > 1:
                return [saved for each in attempts for saved in self.save([each], now)]
            return [self._save_failed(_failed(attempts[0], error), now)]

    def _save_failed(self, attempt: Attempt, now: datetime) -> Saved:
        try:
            return self._together([attempt], now)[0]
        except Exception as error:
            if _is_everybodys(error):
                raise
            log.exception("an attempt that can't be ended", feed=attempt.label)
            return Saved(UNSAVABLE)

    def _together(self, attempts: Sequence[Attempt], now: datetime) -> list[Saved]:
        with self._database.writing() as connection:
            known = self._lock(connection, attempts)
            turns: dict[int, _Turn] = {}
            results: dict[int, Saved] = {}
            for number, attempt in enumerate(attempts):
                feed = known.get(attempt.poll.feed_id)
                if feed is None:
                    results[number] = Saved(MISSING)
                elif feed.lease_owner != attempt.poll.lease:
                    results[number] = self._ended_before(connection, attempt, feed)
                else:
                    turns[number] = _Turn(attempt, feed)
                    # The same message may be in a batch twice.
                    known[feed.id] = replace(
                        feed, lease_owner=None, last_fetch_attempt=attempt.started
                    )
            ended = self._end(connection, list(turns.values()), now)
            results |= dict(zip(turns, ended, strict=True))
        return [results[number] for number in range(len(attempts))]

    def _lock(self, connection: Connection, attempts: Sequence[Attempt]) -> dict[int, Feed]:
        ids = sorted({attempt.poll.feed_id for attempt in attempts})
        statement = (
            select(feeds)
            .where(self._database.among(feeds.c.id, ids))
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
        # Its feed may have been polled again meanwhile: what was saved counts all the same.
        if not rows and feed.last_fetch_attempt != attempt.started:
            return Saved(STALE)
        return Saved(AGAIN, [_announcement(attempt, row["id"], dict(row)) for row in rows])

    def _end(self, connection: Connection, turns: Sequence[_Turn], now: datetime) -> list[Saved]:
        asked = [turn for turn in turns if turn.attempt.status != POSTPONED]
        stored = store_items(
            self._database,
            connection,
            [turn.attempt for turn in asked],
            now,
            self._options.normalized_title_days,
        )
        self._see_again(connection, asked)
        results = {turn.feed.id: found for turn, found in zip(asked, stored, strict=True)}
        rows, events, changes = [], [], {}
        for turn in turns:
            found = results.get(turn.feed.id)
            if found is None:
                rows.append(_put_off(turn))
                continue
            counts = found.counts if turn.attempt.document else None
            columns = self._columns(turn, counts, now)
            disabled = not columns["system_enabled"] and turn.feed.system_enabled
            seconds = (now - turn.attempt.started).total_seconds()
            rows.append(columns)
            changes[turn.feed.id] = _change(turn.feed, columns)
            events.append(event(turn.attempt, counts, seconds, disabled=disabled))
        if rows:
            update_rows(self._database, connection, feeds, rows)
        if events:
            insert = self._database.insert(fetch_events)
            insert_rows(self._database, connection, insert, events)
        return [
            _saved(turn, results.get(turn.feed.id), changes.get(turn.feed.id)) for turn in turns
        ]

    def _columns(self, turn: _Turn, counts: ItemCounts | None, now: datetime) -> dict[str, Any]:
        """All that is set in the feed's row."""
        attempt, feed = turn
        document = attempt.document
        titled = {"rss_title": document.title} if document and document.title else {}
        return {
            **_kept(feed),
            **titled,
            **conditional.after(feed, attempt),
            **redirects.after(feed, attempt, self._options),
            **schedule.after(feed, attempt, counts, now, self._options, self._chance),
            **_RELEASED,
        }

    def _see_again(self, connection: Connection, turns: Sequence[_Turn]) -> None:
        """What was in an unchanged document has been seen again (feeds.md 2.3)."""
        rows = [
            {
                "feed": turn.feed.id,
                "before": turn.feed.last_parse_success,
                "now": turn.attempt.started,
            }
            for turn in turns
            if turn.attempt.unchanged and turn.feed.last_parse_success
        ]
        if rows:
            connection.execute(_SEE_AGAIN, rows)


_RELEASED: dict[str, Any] = {
    "queued": False,
    "lease_owner": None,
    "lease_expires": None,
    "deferred_until": None,
}

_SET = tuple(
    column.name
    for column in feeds.columns
    if column.name
    not in (
        # The directory's and the operator's, and what is generated.
        *("id", "sources_id", "name", "url", "active", "created_at", "removed_at"),
        *("poll_minutes_override", "ready_at"),
    )
)

_SEE_AGAIN = (
    update(story_refs)
    .where(story_refs.c.feed_id == bindparam("feed"), story_refs.c.seen_at == bindparam("before"))
    .values(seen_at=bindparam("now"))
)


def _kept(feed: Feed) -> dict[str, Any]:
    """What is in the row now."""
    return {"id": feed.id, **{name: getattr(feed, name) for name in _SET}}


def _put_off(turn: _Turn) -> dict[str, Any]:
    """A feed that was not asked for goes back as it came, for its host's sake."""
    return {**_kept(turn.feed), **_RELEASED, "deferred_until": turn.attempt.until}


def _is_everybodys(error: Exception) -> bool:
    """Whether it is the database's fault, and not that of an attempt."""
    return isinstance(error, StorageError) and not isinstance(error, RefusedValue)


def _failed(attempt: Attempt, error: Exception) -> Attempt:
    detail = one_line(repr(error), 200)
    return replace(
        attempt, status=CAUGHT_EXCEPTION, detail=detail, document=None, unchanged="", parts=[]
    )


def _change(feed: Feed, columns: Mapping[str, Any]) -> IntervalChange:
    missed = columns["missed_alarms"] > feed.missed_alarms
    return IntervalChange(feed.poll_minutes, columns["poll_minutes"], missed)


def _saved(turn: _Turn, stored: StoredItems | None, change: IntervalChange | None) -> Saved:
    if stored is None:
        return Saved(RELEASED)
    attempt = turn.attempt
    new = [_announcement(attempt, id, msgspec.structs.asdict(item)) for id, item in stored.added]
    return Saved(SAVED, new, stored.counts if attempt.document else None, change)


def _announcement(attempt: Attempt, id: int, story: Mapping[str, Any]) -> NewStory:
    """What the stories family's programs are told of a story: `RSSEntry` of seed 000."""
    published = story["published_at"]
    return NewStory(
        rss_entry={
            "link": story["url"],
            "title": story["title"],
            "domain": story["domain"] or None,
            "pub_date": format_datetime(published.replace(tzinfo=UTC)) if published else None,
            "fetch_date": f"{attempt.started:%Y-%m-%d}",
            "source_url": attempt.poll.url,
            "source_feed_id": attempt.poll.feed_id,
            "source_source_id": attempt.poll.sources_id,
            "via": f"{id}@{SERVER}",
        }
    )
