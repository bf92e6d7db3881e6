"""Finds feeds and their histories, for operators' commands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, and_, func, not_, or_, select

from indexer.database import Database
from indexer.errors import InputError
from indexer.feeds.events import DISABLED, FAILED
from indexer.feeds.feed import Feed
from indexer.feeds.models import IS_POLLED, feeds, fetch_events, stories
from indexer.feeds.registry.feed_spec import as_id
from indexer.text.cleaning import one_line

PORTION = 1000
"""Feeds read in one transaction: a slow reader of the results keeps none open."""

LOOKING_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class FeedFilter:
    """Conditions that a feed has to meet, all of them. Removed feeds: only with `removed`.

    `status`: the beginning of the last attempt's status; `text`: a part of the URL or name; both
    in any case.
    """

    source: int | None = None
    status: str = ""
    text: str = ""
    failing: bool = False
    disabled: bool = False
    gone: bool = False
    due: bool = False
    removed: bool = False

    def condition(self, now: datetime) -> ColumnElement[bool]:
        """Translate the filter to SQL."""
        is_removed = feeds.c.removed_at.is_not(None)
        conditions: list[ColumnElement[bool]] = [is_removed if self.removed else not_(is_removed)]
        if self.source is not None:
            conditions.append(feeds.c.sources_id == self.source)
        if self.status:
            # `autoescape`: % and _ of the operator's text are no wildcards.
            found = func.lower(feeds.c.system_status)
            conditions.append(found.startswith(self.status.lower(), autoescape=True))
        if self.text:
            columns = (func.lower(feeds.c.url), func.lower(feeds.c.name))
            text = self.text.lower()
            conditions.append(or_(*(each.contains(text, autoescape=True) for each in columns)))
        if self.failing:
            conditions.append(feeds.c.last_fetch_failures > 0)
        if self.disabled:
            conditions.append(not_(and_(feeds.c.active, feeds.c.system_enabled)))
        if self.gone:
            conditions.append(feeds.c.gone_at.is_not(None))
        if self.due:
            conditions.append(and_(IS_POLLED, feeds.c.ready_at <= now))
        return and_(*conditions)


class FetchEvent(NamedTuple):
    """One event of a feed's history. `details` has the keys of `events.event`."""

    event: str
    note: str
    created_at: datetime
    details: dict[str, Any]


class FailingFeed(msgspec.Struct, frozen=True):
    """A feed whose last attempt failed, and why."""

    feed: int
    url: str
    why: str


def find(
    database: Database, wanted: FeedFilter, now: datetime, limit: int | None = None
) -> Iterator[Feed]:
    """Yield the feeds that a filter selects, by id, at most `limit`. Raises StorageError."""
    last = 0
    while limit is None or limit > 0:
        some = PORTION if limit is None else min(PORTION, limit)
        statement = (
            select(feeds)
            .where(feeds.c.id > last, wanted.condition(now))
            .order_by(feeds.c.id)
            .limit(some)
        )
        with database.reading(LOOKING_SECONDS) as connection:
            found = [Feed.of(row) for row in connection.execute(statement).mappings()]
        yield from found
        if len(found) < some:
            return
        last = found[-1].id
        limit = None if limit is None else limit - some


def count(database: Database, wanted: FeedFilter, now: datetime) -> int:
    """Count the feeds that a filter selects. Raises StorageError."""
    with database.reading(LOOKING_SECONDS) as connection:
        statement = select(func.count()).select_from(feeds).where(wanted.condition(now))
        return connection.scalar(statement) or 0


def named(database: Database, names: Sequence[str]) -> list[Feed]:
    """Return the feeds with these ids or URLs, removed ones too.

    Raises InputError for an id or URL that no feed has, StorageError.
    """
    found: dict[int, Feed] = {}
    with database.reading(LOOKING_SECONDS) as connection:
        for name in names:
            id = as_id(name)
            is_it = or_(feeds.c.url == name, feeds.c.adopted_url == name)
            statement = select(feeds).where(feeds.c.id == id if id is not None else is_it)
            rows = connection.execute(statement.order_by(feeds.c.id)).mappings().all()
            if not rows:
                raise InputError(f"no feed has the id or URL {one_line(name, 200)}")
            found |= {row["id"]: Feed.of(row) for row in rows}
    return [*found.values()]


def of_source(database: Database, sources_id: int) -> list[int]:
    """Return the ids of a source's feeds, without removed ones. Raises StorageError."""
    statement = select(feeds.c.id).where(
        feeds.c.sources_id == sources_id, feeds.c.removed_at.is_(None)
    )
    with database.reading(LOOKING_SECONDS) as connection:
        return [*connection.scalars(statement.order_by(feeds.c.id))]


def history(database: Database, feed_id: int, limit: int | None = None) -> list[FetchEvent]:
    """Return the events of a feed, the newest first. Raises StorageError."""
    statement = (
        select(fetch_events)
        .where(fetch_events.c.feed_id == feed_id)
        .order_by(fetch_events.c.id.desc())
        .limit(limit)
    )
    with database.reading(LOOKING_SECONDS) as connection:
        rows = connection.execute(statement).mappings().all()
    return [
        FetchEvent(row["event"], row["note"] or "", row["created_at"], _details(row["details"]))
        for row in rows
    ]


def reasons(database: Database, found: Sequence[Feed]) -> dict[int, str]:
    """Return, by id, why the last attempt of each feed failed, for feeds whose last one did.

    The text is the event's note: the status and, after a semicolon, its detail.
    """
    failing = [feed.id for feed in found if feed.last_fetch_failures > 0]
    reasons: dict[int, str] = {}
    for start in range(0, len(failing), PORTION):
        last = (
            select(func.max(fetch_events.c.id))
            .where(
                fetch_events.c.feed_id.in_(failing[start : start + PORTION]),
                fetch_events.c.event.in_((FAILED, DISABLED)),
            )
            .group_by(fetch_events.c.feed_id)
        )
        statement = select(fetch_events.c.feed_id, fetch_events.c.note).where(
            fetch_events.c.id.in_(last)
        )
        with database.reading(LOOKING_SECONDS) as connection:
            reasons |= {id: note or "" for id, note in connection.execute(statement)}
    return reasons


def failing(database: Database, now: datetime, most: int) -> list[FailingFeed]:
    """Return the first feeds whose last attempt failed, with the reasons. Raises StorageError."""
    found = list(find(database, FeedFilter(failing=True), now, most))
    why = reasons(database, found)
    return [
        FailingFeed(feed.id, feed.url or "", why.get(feed.id, "") or feed.system_status or "")
        for feed in found
    ]


def stories_of(database: Database, feed_id: int) -> int:
    """Count the stories of a feed. Raises StorageError."""
    with database.reading(LOOKING_SECONDS) as connection:
        statement = select(func.count()).select_from(stories).where(stories.c.feed_id == feed_id)
        return connection.scalar(statement) or 0


def _details(text: str | None) -> dict[str, Any]:
    """Read the JSON of the column; nothing if it can't be read."""
    try:
        found = msgspec.json.decode(text or "{}")
    except msgspec.DecodeError:
        return {}
    return found if isinstance(found, dict) else {}
