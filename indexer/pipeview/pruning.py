"""Deletes old counts, but keeps the last days of each feed (stories.md 9.4)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Delete, Row, Select, bindparam, delete, func, null, select

from indexer.database import Database
from indexer.pipeview.store import crumbs, first_day, messages

MESSAGE_DAYS = 14
"""How long counted messages are remembered: no broker delivers one again after that."""

PORTION = 500
"""Days of feeds that are deleted in one transaction."""

LOOKING_SECONDS = 3600.0
"""The time limit of the query for old rows."""


@dataclass(slots=True)
class PrunedCrumbs:
    """The numbers of old `rows` and of the `stories` that they count.

    `feed_days` and `days` are the numbers of days with and without a feed. `messages` is the number
    of counted messages that are forgotten.
    """

    rows: int = 0
    stories: int = 0
    feed_days: int = 0
    days: int = 0
    messages: int = 0


def prune(database: Database, days: int, today: date, *, delete: bool) -> PrunedCrumbs:
    """Count the old rows and, with `delete`, delete them in portions.

    Each feed keeps its last `days` dates, however old they are; stories without a feed keep the
    last `days` days. Raises StorageError: earlier portions stay deleted.
    """
    pruned = PrunedCrumbs()
    of_no_feed = _of_no_feed(first_day(today, days))
    for select_old, delete_day in ((_of_feeds(days), _OF_A_FEED), (of_no_feed, _OF_NO_FEED)):
        for old in _portions(database, select_old):
            with_feed = sum(row.feed_id is not None for row in old)
            pruned.feed_days += with_feed
            pruned.days += len(old) - with_feed
            pruned.rows += sum(row.rows for row in old)
            pruned.stories += sum(int(row.stories) for row in old)
            # A transaction for each portion: collectors wait only a moment.
            if delete:
                _delete(database, delete_day, old)
    pruned.messages = _messages(database, first_day(today, MESSAGE_DAYS), delete=delete)
    return pruned


_KEYS = (crumbs.c.feed_id, crumbs.c.date)
_COUNTS = (func.count().label("rows"), func.sum(crumbs.c.count).label("stories"))
_OF_A_DAY = delete(crumbs).where(crumbs.c.date == bindparam("day"))
_OF_A_FEED = _OF_A_DAY.where(crumbs.c.feed_id == bindparam("feed"))
_OF_NO_FEED = _OF_A_DAY.where(crumbs.c.feed_id.is_(None))


def _of_feeds(days: int) -> Select[Any]:
    """Select the days of each feed that are older than its last `days` dates."""
    # By rank and not by age: a feed that was silent for a year keeps its last days.
    place = func.row_number().over(partition_by=crumbs.c.feed_id, order_by=crumbs.c.date.desc())
    ranked = (
        select(*_KEYS, *_COUNTS, place.label("place"))
        .where(crumbs.c.feed_id.is_not(None))
        .group_by(*_KEYS)
        .subquery()
    )
    return select(ranked).where(ranked.c.place > days)


def _of_no_feed(first: date) -> Select[Any]:
    """Select the days before `first` that have rows without a feed."""
    return (
        select(null().label("feed_id"), crumbs.c.date, *_COUNTS)
        .where(crumbs.c.feed_id.is_(None), crumbs.c.date < first.isoformat())
        .group_by(crumbs.c.date)
    )


def _portions(database: Database, old: Select[Any]) -> Iterator[Sequence[Row[Any]]]:
    """Yield the old days in portions, as of one moment."""
    with database.reading(LOOKING_SECONDS) as connection:
        options = {"stream_results": True, "yield_per": PORTION}
        yield from connection.execute(old, execution_options=options).partitions()


def _delete(database: Database, statement: Delete, old: Sequence[Row[Any]]) -> None:
    with database.writing() as connection:
        connection.execute(statement, [{"day": row.date, "feed": row.feed_id} for row in old])


def _messages(database: Database, first: date, *, delete: bool) -> int:
    """Count the messages from before a day and, with `delete`, forget them."""
    before = messages.c.date < first.isoformat()
    with database.writing() if delete else database.reading() as connection:
        number = connection.scalars(select(func.count()).where(before)).one()
        if delete:
            connection.execute(messages.delete().where(before))
    return number
