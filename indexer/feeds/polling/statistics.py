"""Statistics of polling as a whole, from a few bounded queries (feeds.md 12).

indexed queries of feeds: ready, leased, deferred    one scan of feeds: statuses, silent feeds
a sample of the last day's stories: delay, domains   row counts: estimates on PostgreSQL
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Table,
    and_,
    case,
    distinct,
    func,
    or_,
    select,
    text,
)

from indexer.database import Database
from indexer.database.leases import is_free, is_leased
from indexer.feeds import metrics
from indexer.feeds.attempt import WORKING
from indexer.feeds.models import IS_POLLED, feeds, stories, story_refs
from indexer.text.chunks import chunks

DAY = timedelta(days=1)

SAMPLE = 10_000
"""Stories of the last day that are read; all of them if there are fewer."""

AT_ONCE = 1000

TOP_DOMAINS = 10

OLD_NEWS = timedelta(days=7)
"""Stories found longer after their publication do not count as late: they were in the first
document of a feed, or come from an archive."""

SILENCE, FORMERLY = timedelta(days=7), timedelta(days=60)
"""A silent feed: no new story for 7 days, but one within 60 days."""

QUANTILES = {"p50": 0.50, "p95": 0.95, "p99": 0.99}

SECONDS = 60.0
"""The time limit of one query."""

_AT_ONCE_UNTIL = datetime(1970, 1, 2)
"""An earlier `ready_at` means as soon as possible: such a feed has no waiting time."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of feeds and stories. Ages and delays are seconds by quantile."""

    ready: int = 0
    running: int = 0
    blocked: int = 0
    silent: int = 0
    ready_age: Mapping[str, float] = field(default_factory=dict)
    feeds: Mapping[str, int] = field(default_factory=dict)
    sources: Mapping[str, int] = field(default_factory=dict)
    max_id: int = 0
    stories: int = 0
    refs: int = 0
    top_domains: Sequence[float] = ()
    delay: Mapping[str, float] = field(default_factory=dict)


def is_silent(now: datetime) -> ColumnElement[bool]:
    """The condition that a feed works, but has had no new story lately, though it had before."""
    return and_(
        IS_POLLED,
        feeds.c.system_status == WORKING,
        feeds.c.last_new_stories < now - SILENCE,
        feeds.c.last_new_stories >= now - FORMERLY,
    )


def measure(database: Database, now: datetime) -> Statistics:
    """Query the statistics. Raises StorageError."""
    with database.reading(SECONDS) as connection:
        ready = connection.scalar(_how_many(_is_ready(now))) or 0
        by_status = _by_status(connection, now)
        sample, scale = _sample(connection, database, now)
        return Statistics(
            ready=ready,
            running=connection.scalar(_how_many(is_leased(feeds, now))) or 0,
            blocked=connection.scalar(_how_many(_is_blocked(now))) or 0,
            silent=connection.scalar(_how_many(is_silent(now))) or 0,
            ready_age=_ready_age(connection, now),
            feeds={row.status: row.feeds for row in by_status},
            sources={row.status: row.sources for row in by_status},
            max_id=connection.scalar(select(func.max(stories.c.id))) or 0,
            stories=_about(connection, database, stories),
            refs=_about(connection, database, story_refs),
            top_domains=_top_domains(sample, scale),
            delay=_delay(sample),
        )


def report(found: Statistics) -> None:
    """Set the gauges."""
    metrics.READY.set(found.ready)
    metrics.RUNNING.set(found.running)
    metrics.BLOCKED.set(found.blocked)
    metrics.SILENT.set(found.silent)
    metrics.MAX_ID.set(found.max_id)
    metrics.COUNT.set(found.stories)
    metrics.REFS.set(found.refs)
    for status, number in found.feeds.items():
        metrics.RECENT_FEEDS.set(number, status=status)
    for status, number in found.sources.items():
        metrics.RECENT_SOURCES.set(number, status=status)
    for quantile, seconds in found.ready_age.items():
        metrics.READY_AGE.set(seconds, quantile=quantile)
    for quantile, seconds in found.delay.items():
        metrics.DELAY.set(seconds, quantile=quantile)
    if found.top_domains:
        metrics.TOP_SUM.set(sum(found.top_domains))
        metrics.TOP_AVERAGE.set(sum(found.top_domains) / len(found.top_domains))


def _how_many(condition: ColumnElement[bool]) -> Any:
    return select(func.count()).select_from(feeds).where(condition)


def _is_ready(now: datetime) -> ColumnElement[bool]:
    return and_(IS_POLLED, feeds.c.ready_at <= now)


def _is_blocked(now: datetime) -> ColumnElement[bool]:
    """The condition that a feed is due and not leased, but deferred."""
    due = feeds.c.next_fetch_attempt
    return and_(
        IS_POLLED,
        feeds.c.ready_at > now,
        feeds.c.deferred_until > now,
        or_(due.is_(None), due <= now),
        is_free(feeds, now),
    )


def _ready_age(connection: Connection, now: datetime) -> dict[str, float]:
    """Quantiles of the time since feeds became ready; 0 if none is ready."""
    waiting = and_(_is_ready(now), feeds.c.ready_at >= _AT_ONCE_UNTIL)
    number = connection.scalar(_how_many(waiting)) or 0
    oldest_first = select(feeds.c.ready_at).where(waiting).order_by(feeds.c.ready_at).limit(1)
    ages = {}
    # One query of the index for each quantile, instead of reading the times of all ready feeds.
    for name, quantile in {**QUANTILES, "max": 1.0}.items():
        since = connection.scalar(oldest_first.offset(_place(number, 1.0 - quantile)))
        ages[name] = (now - since).total_seconds() if since else 0.0
    return ages


def _by_status(connection: Connection, now: datetime) -> Sequence[Row[Any]]:
    """The number of feeds and sources by status; HTTP statuses without the server's reason."""
    known = feeds.c.system_status
    # "HTTP 404 Not Found" → "HTTP 404": each server's wording would be a label of its own.
    status = case((known.like("HTTP %"), func.substr(known, 1, 8)), else_=known)
    tried = (
        select(status.label("status"), feeds.c.sources_id)
        .where(feeds.c.last_fetch_attempt >= now - DAY, known.is_not(None))
        .subquery()
    )
    numbers = select(
        tried.c.status,
        func.count().label("feeds"),
        func.count(distinct(tried.c.sources_id)).label("sources"),
    )
    return connection.execute(numbers.group_by(tried.c.status)).all()


def _sample(
    connection: Connection, database: Database, now: datetime
) -> tuple[Sequence[Row[*tuple[Any, ...]]], float]:
    """A sample of the last day's stories, and the number of stories that each one represents."""
    today = stories.c.fetched_at >= now - DAY
    # Ids and times are in nearly the same order, so the least id is among the first stories.
    earliest = select(stories.c.id).where(today).order_by(stories.c.fetched_at).limit(AT_ONCE)
    first = connection.scalar(select(func.min(earliest.subquery().c.id)))
    last = connection.scalar(select(func.max(stories.c.id)))
    if first is None or last is None:
        return (), 1.0
    step = max((last - first + 1) / SAMPLE, 1.0)
    ids = [first + int(place * step) for place in range(int((last - first) / step) + 1)]
    columns = select(stories.c.domain, stories.c.published_at, stories.c.fetched_at).where(today)
    rows: list[Row[*tuple[Any, ...]]] = []
    for some in chunks(ids, AT_ONCE):
        among = database.among(stories.c.id, some)
        rows.extend(connection.execute(columns.where(among)))
    return rows, step


def _top_domains(sample: Sequence[Row[*tuple[Any, ...]]], scale: float) -> list[float]:
    """Estimates of the number of stories of the domains with most."""
    counts = Counter(row.domain for row in sample if row.domain)
    return [number * scale for _, number in counts.most_common(TOP_DOMAINS)]


def _delay(sample: Sequence[Row[*tuple[Any, ...]]]) -> dict[str, float]:
    """Quantiles of the time from publication to discovery; empty if no story has a date."""
    delays = sorted(
        max((row.fetched_at - row.published_at).total_seconds(), 0.0)
        for row in sample
        if row.published_at and row.fetched_at - row.published_at <= OLD_NEWS
    )
    if not delays:
        return {}
    return {name: delays[_place(len(delays), quantile)] for name, quantile in QUANTILES.items()}


def _place(number: int, quantile: float) -> int:
    """The index of a quantile in a sorted list of `number` values."""
    return min(int(number * quantile), max(number - 1, 0))


def _about(connection: Connection, database: Database, table: Table) -> int:
    """The number of rows: exact on SQLite, on PostgreSQL the planner's estimate."""
    # PostgreSQL would read a whole index of some hundred million rows to count them.
    if database.is_postgresql:
        estimate = connection.scalar(
            text("SELECT reltuples::bigint FROM pg_class WHERE oid = to_regclass(:name)"),
            {"name": table.name},
        )
        if estimate is not None and estimate >= 0:
            return int(estimate)
    return connection.scalar(select(func.count()).select_from(table)) or 0
