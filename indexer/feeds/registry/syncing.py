"""Feeds as a directory has them: asked for what has changed, then changed here, all or nothing.

    version → pages, all of them → differences, decided feed by feed → how many would go? → one
    transaction: rows locked, decided again, written, and up to when it is all known

A full sync asks for everything, and removes what the directory does not have: first softly, and
only if that is not too much of what is there.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, and_, func, select

from indexer.database import Database
from indexer.feeds.models import feeds, properties
from indexer.feeds.registry.changing import delete_removed
from indexer.feeds.registry.directory import SHRUNK, FeedDirectory, Listed, SyncError
from indexer.feeds.registry.directory_changes import Adopted, Applying, FeedChange, Synced
from indexer.feeds.registry.feed_spec import FeedProblem
from indexer.feeds.registry.registry import LOCK
from indexer.metrics import counter, gauge
from indexer.text.cleaning import one_line

SECTION, SINCE = "update_feeds", "modified_since"
"""Where in `properties` the time is up to which the directory's changes are known."""

MAX_SHRINKAGE = 5.0
"""Percent of the feeds that a full sync may remove, unless it is told that more may."""

SHOWN = 100
"""So many of the problems and of the adopted URLs are listed, no more."""

CHANGES = counter("sync.feeds", "feeds by what a sync with the directory did", "change")
DRIFT = gauge("sync.drift", "percent of the feeds that the last full sync added, changed, removed")


class SyncPlan(NamedTuple):
    """What is asked for. `delete_after`: days after which what was removed is deleted."""

    full: bool = False
    reset: bool = False
    dry_run: bool = False
    max_shrinkage: float = MAX_SHRINKAGE
    delete_after: int | None = None


def sync(database: Database, directory: FeedDirectory, plan: SyncPlan, now: datetime) -> Synced:
    """Bring the feeds up to date. Raises SyncError, StorageError: then nothing was changed."""
    until = directory.now()
    since = 0.0 if plan.full or plan.reset else known_until(database)
    synced = Synced(plan.full, plan.dry_run, since, until)
    listed: dict[int, Listed] = {}
    for page in directory.feeds(since, until):
        # One that is sent twice was changed meanwhile: the last counts.
        listed.update((feed.id, feed) for feed in page)
    synced.listed = len(listed)
    usable = _usable(listed.values(), synced)
    applying = Applying(database, synced, now)
    with database.reading() if plan.dry_run else database.writing() as connection:
        if not plan.dry_run:
            database.lock(connection, LOCK)
        gone = _missing(connection, listed) if plan.full else []
        if plan.full:
            _check_shrinkage(connection, len(gone), plan.max_shrinkage, directory)
        applying.apply(connection, usable)
        applying.remove(connection, gone)
        if not plan.dry_run:
            _keep(database, connection, until)
    if not plan.dry_run:
        if plan.delete_after is not None:
            synced.deleted = delete_removed(database, now - timedelta(days=plan.delete_after))
        _measure(synced)
    _report_adopted(database, synced)
    return synced


def known_until(database: Database) -> float:
    """Up to when the directory's changes are known, in seconds since 1970; 0 for nothing."""
    statement = select(properties.c.value).where(
        properties.c.section == SECTION, properties.c.key == SINCE
    )
    with database.reading() as connection:
        value = connection.scalar(statement)
    try:
        return max(float(value or 0), 0.0)
    except ValueError:
        return 0.0


def follows_a_directory(database: Database) -> bool:
    """Whether feeds came from a directory, which will remove what it does not have."""
    return known_until(database) > 0


def _usable(listed: Iterable[Listed], synced: Synced) -> list[Listed]:
    """Those with a URL. The others are left as they are here: they are no reason to remove one."""
    usable = []
    for feed in listed:
        if feed.url:
            usable.append(feed)
            continue
        synced.count(FeedChange.REFUSED)
        if len(synced.problems) < SHOWN:
            problem = FeedProblem(one_line(feed.name or ""), "no URL in the directory")
            synced.problems.append(problem._replace(where=f"feed {feed.id}"))
    return usable


def _missing(connection: Connection, listed: Mapping[int, Listed]) -> list[int]:
    """The feeds that the directory does not have, by id."""
    statement = select(feeds.c.id).where(feeds.c.removed_at.is_(None)).order_by(feeds.c.id)
    return [id for id in connection.scalars(statement) if id not in listed]


def _check_shrinkage(
    connection: Connection, missing: int, allowed: float, directory: FeedDirectory
) -> None:
    """Raises SyncError if too many feeds would be removed: that is hardly what somebody wants."""
    there = feeds.c.removed_at.is_(None)
    total = connection.scalar(select(func.count()).select_from(feeds).where(there)) or 0
    percent = 100 * missing / total if total else 0.0
    if percent > allowed:
        raise SyncError(
            SHRUNK,
            f"directory {directory.server}: it lacks {missing:,} of {total:,} feeds "
            f"({percent:.1f} %), and at most {allowed:g} % may be removed: nothing was changed; "
            "if it is right, say --max-shrinkage",
        )


def _keep(database: Database, connection: Connection, until: float) -> None:
    new = database.insert(properties).values(section=SECTION, key=SINCE, value=repr(until))
    new = new.on_conflict_do_update(
        index_elements=[properties.c.section, properties.c.key], set_={"value": repr(until)}
    )
    connection.execute(new)


def _measure(synced: Synced) -> None:
    for change, number in synced.changes.items():
        CHANGES.add(number, change=change)
    if synced.full and synced.listed:
        same = synced.changes.get(FeedChange.UNCHANGED, 0) + synced.changes.get(
            FeedChange.REFUSED, 0
        )
        DRIFT.set(100 * (sum(synced.changes.values()) - same) / synced.listed)


def _report_adopted(database: Database, synced: Synced) -> None:
    """What the directory should know: feeds that have moved for good."""
    is_adopted = and_(feeds.c.adopted_url.is_not(None), feeds.c.removed_at.is_(None))
    columns = select(feeds.c.id, feeds.c.url, feeds.c.adopted_url).where(is_adopted)
    with database.reading() as connection:
        count = connection.scalar(select(func.count()).select_from(feeds).where(is_adopted))
        rows = connection.execute(columns.order_by(feeds.c.id).limit(SHOWN)).all()
    synced.adopted_count = count or 0
    synced.adopted = [Adopted(*row) for row in rows]
