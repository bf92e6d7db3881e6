"""Progress of polling, for a person who watches: the state of feeds, and results so far."""

from collections import Counter
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import and_, func, or_, select

from indexer.database import Database
from indexer.database.leases import is_free, is_leased
from indexer.feeds.events import DISABLED, FAILED, SUCCEEDED
from indexer.feeds.models import IS_POLLED, feeds, fetch_events, stories

AT_ONCE = 10_000
"""Events that one query reads."""


class Standing(NamedTuple):
    """The number of polled feeds, due feeds and leased feeds; the time of the next poll."""

    feeds: int = 0
    due: int = 0
    under_way: int = 0
    next_poll: datetime | None = None


class Watch:
    """Counts the results of polls from its creation on. Its methods raise StorageError."""

    def __init__(self, database: Database, now: datetime) -> None:
        """Start to count with the next event and story."""
        self.standing = Standing()
        self.fetched = 0
        """Attempts that succeeded; the others are in `failures`, by status."""
        self.failures: Counter[str] = Counter()
        self.new_stories = 0
        self._database = database
        self._started = now
        with database.reading() as connection:
            self._event = connection.scalar(select(func.max(fetch_events.c.id))) or 0
            self._story = connection.scalar(select(func.max(stories.c.id))) or 0

    def look(self, now: datetime) -> None:
        """Update all numbers."""
        is_due = or_(feeds.c.next_fetch_attempt.is_(None), feeds.c.next_fetch_attempt <= now)
        counts = select(
            func.count(),
            func.count().filter(and_(is_free(feeds, now), is_due)),
            func.count().filter(is_leased(feeds, now)),
            func.min(feeds.c.ready_at).filter(is_free(feeds, now)),
        ).where(IS_POLLED)
        newer = stories.c.id > self._story
        with self._database.reading() as connection:
            self.standing = Standing(*connection.execute(counts).one())
            added, last = connection.execute(
                select(func.count(), func.max(stories.c.id)).where(newer)
            ).one()
            events = connection.execute(
                select(fetch_events.c.id, fetch_events.c.event, fetch_events.c.note)
                .where(fetch_events.c.id > self._event)
                .order_by(fetch_events.c.id)
                # The next call reads the rest.
                .limit(AT_ONCE)
            ).all()
        self.new_stories += added
        self._story = last or self._story
        for id, event, note in events:
            self._event = id
            if event == SUCCEEDED:
                self.fetched += 1
            elif event in (FAILED, DISABLED):
                self.failures[(note or "").partition(";")[0]] += 1

    def still_due(self, now: datetime, wait_until: datetime) -> int:
        """How many feeds that were due at the start have not been polled since.

        Feeds deferred until `wait_until` or later are not counted.
        """
        statement = select(func.count()).where(
            IS_POLLED,
            or_(
                feeds.c.next_fetch_attempt.is_(None),
                feeds.c.next_fetch_attempt <= self._started,
                is_leased(feeds, now),
            ),
            or_(feeds.c.deferred_until.is_(None), feeds.c.deferred_until < wait_until),
        )
        with self._database.reading() as connection:
            return connection.scalar(statement) or 0
