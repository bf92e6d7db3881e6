"""The API's queries: lists of rows, and counts of stories (feeds.md 9)."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Select, and_, func, or_, select

from indexer.database import Database
from indexer.feeds.models import feeds, fetch_events, stories
from indexer.feeds.registry.listing import ANSWER_SECONDS, Listing, Row

DAY = timedelta(days=1)

MOST_ROWS = 1 << 40
"""The greatest LIMIT that is sent: databases take none above 2**63."""

JSON_COLUMNS = ("details", "rate")
"""Columns of JSON, whose values are parsed for answers."""

_SHOWN = [
    stories.c[name] for name in ("url", "feed_id", "published_at", "fetched_at", "domain", "title")
]
_BY_FETCHED = (stories.c.fetched_at, stories.c.id)


class Paged(NamedTuple):
    """Some rows, and the cursor of those that follow; None if there are no more."""

    rows: list[Row]
    next: str | None


def rss_entries() -> Listing:
    """All stories with a URL, in the order of their ids."""
    names = "id", "url", "published_at", "domain", "title", "fetched_at", "feed_id", "sources_id"
    both = stories.outerjoin(feeds, feeds.c.id == stories.c.feed_id)
    columns = [stories.c[name] for name in names]
    statement = select(*columns, feeds.c.url.label("feed_url")).select_from(both)
    return Listing(statement.where(stories.c.url.is_not(None)), (stories.c.id,))


def feeds_of(sources_id: int) -> Listing:
    """The feeds of a source, without removed ones."""
    chosen = and_(feeds.c.sources_id == sources_id, feeds.c.removed_at.is_(None))
    return Listing(select(feeds).where(chosen), (feeds.c.id,))


def history(feed_id: int) -> Listing:
    """The events of a feed."""
    statement = select(fetch_events).where(fetch_events.c.feed_id == feed_id)
    return Listing(statement, (fetch_events.c.id,), newest_first=True)


def stories_of(chosen: ColumnElement[bool]) -> Listing:
    """The stories that meet a condition, the latest found first."""
    # The key of a listing may not be null.
    known = stories.c.fetched_at.is_not(None)
    return Listing(select(*_SHOWN).where(chosen, known), _BY_FETCHED, newest_first=True)


def feed(database: Database, feed_id: int) -> Row | None:
    """Return the row of a feed; None if there is none, or it was removed."""
    statement = select(feeds).where(feeds.c.id == feed_id, feeds.c.removed_at.is_(None))
    with database.reading(ANSWER_SECONDS) as connection:
        row = connection.execute(statement).mappings().one_or_none()
    return plain(row) if row is not None else None


def plain(row: Mapping[Any, Any]) -> Row:
    """Return a row with its JSON parsed."""
    return {name: _json(value) if name in JSON_COLUMNS else value for name, value in row.items()}


def days_of_source(
    database: Database,
    sources_id: int,
    moment: ColumnElement[Any],
    limit: int | None,
    after: date | None,
) -> Paged:
    """Count the stories of a source by day, those without a date last."""
    day = func.date(moment)
    chosen = stories.c.sources_id == sources_id
    if after is not None:
        chosen = and_(chosen, or_(moment >= _start(after + DAY), moment.is_(None)))
    statement = (
        select(day.label("day"), func.count().label("stories"))
        .where(chosen)
        .group_by(day)
        # By default SQLite has nulls first, and PostgreSQL last.
        .order_by(day.asc().nulls_last())
    )
    found = _rows(database, statement.limit(_one_more(limit)))
    shown = found if limit is None else found[:limit]
    rows = [{**row, "day": _text(row["day"])} for row in shown]
    return Paged(rows, rows[-1]["day"] if len(found) > len(rows) else None)


def last_days(database: Database, moment: ColumnElement[Any], last: date, days: int) -> Paged:
    """Count the stories of the `days` up to `last`, by day, the newest day first.

    Days without stories have no row.
    """
    # Not before the first day of Python's calendar.
    first = last - (min(days, (last - date.min).days + 1) - 1) * DAY
    day = func.date(moment)
    statement = (
        select(day.label("date"), func.count().label("count"))
        .where(moment >= _start(first), moment < _start(last) + DAY)
        .group_by(day)
        .order_by(day.desc())
    )
    earlier = select(stories.c.id).where(moment < _start(first)).limit(1)
    rows = [{**row, "date": _text(row["date"])} for row in _rows(database, statement)]
    more = bool(_rows(database, earlier))
    return Paged([{**row, "type": "stories"} for row in rows], first.isoformat() if more else None)


def by_source(
    database: Database, since: datetime, limit: int | None, skipped: int
) -> tuple[float, Paged]:
    """Count stories by source, and return the days between the first and the last of all."""
    moment = stories.c.fetched_at
    ends = select(func.min(moment).label("first"), func.max(moment).label("last"))
    (span,) = _rows(database, ends.where(moment >= since))
    if span["first"] is None:
        return 0, Paged([], None)
    found = counted(database, stories.c.sources_id, since, limit, skipped)
    return (span["last"] - span["first"]) / DAY, found


def counted(
    database: Database,
    column: ColumnElement[Any],
    since: datetime,
    limit: int | None,
    skipped: int = 0,
) -> Paged:
    """Count the stories found since a time by the value of a column, the greatest count first."""
    count = func.count().label("count")
    statement = (
        select(column, count)
        .where(stories.c.fetched_at >= since)
        .group_by(column)
        .order_by(count.desc(), column.asc().nulls_last())
        .offset(skipped)
    )
    found = _rows(database, statement.limit(_one_more(limit)))
    rows = found if limit is None else found[:limit]
    return Paged(rows, str(skipped + len(rows)) if len(found) > len(rows) else None)


def check(database: Database) -> None:
    """Query one row, to see whether the database answers. Raises StorageError."""
    _rows(database, select(feeds.c.id).limit(1))


def _rows(database: Database, statement: Select[Any]) -> list[Row]:
    with database.reading(ANSWER_SECONDS) as connection:
        return [dict(row) for row in connection.execute(statement).mappings()]


def _one_more(limit: int | None) -> int | None:
    """Return the limit of a query that shows whether rows follow; None for all."""
    return None if limit is None else min(limit, MOST_ROWS) + 1


def _json(text: str | None) -> Any:
    try:
        return None if text is None else msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


def _start(day: date) -> datetime:
    return datetime.combine(day, time.min)


def _text(day: object) -> str | None:
    """Write a day as text: PostgreSQL gives a date, SQLite a text."""
    return None if day is None else str(day)
