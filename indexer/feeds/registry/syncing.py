"""Synchronises the feeds with a directory: fetches its changes, then writes all of them or none.

    version → all pages → too many feeds missing? → one transaction: differences decided feed by
    feed, rows locked, decided again, written, with the time up to which changes are known

A full sync fetches all feeds, and marks feeds as removed that the directory does not have, unless
they are too many. They are deleted later.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from sqlalchemy import Connection, and_, func, select

from indexer.database import Database
from indexer.feeds.models import feeds
from indexer.feeds.registry.changing import delete_removed
from indexer.feeds.registry.directory import SHRUNK, FeedDirectory, Listed, SyncError
from indexer.feeds.registry.directory_changes import Adopted, Applying, FeedChange, Synced
from indexer.feeds.registry.feed_spec import FeedProblem, refusal, shown
from indexer.feeds.registry.registry import LOCK, StoredProperty
from indexer.feeds.registry.sync_plan import SyncPlan
from indexer.metrics import counter, gauge
from indexer.text.cleaning import one_line

SINCE = StoredProperty("update_feeds", "modified_since")
"""The time up to which the directory's changes are known (feeds.md 2.2)."""

SHOWN = 100
"""Most problems and most adopted URLs in a report."""

CHANGES = counter("sync.feeds", "feeds by kind of change in syncs with the directory", "change")
DRIFT = gauge("sync.drift", "percent of the feeds that the last full sync added, changed, removed")


def sync(database: Database, directory: FeedDirectory, plan: SyncPlan, now: datetime) -> Synced:
    """Synchronise the feeds. Raises SyncError, StorageError: then nothing was changed."""
    until = directory.now()
    since = 0.0 if plan.full or plan.reset else known_until(database)
    synced = Synced(plan.full, plan.dry_run, since, until)
    listed: dict[int, Listed] = {}
    for page in directory.feeds(since, until):
        # A feed that changes between two pages is sent twice: the later one is right.
        listed.update((feed.id, feed) for feed in page)
    synced.listed = len(listed)
    usable = _usable(listed.values(), synced)
    applying = Applying(database, synced, now)
    with database.reading() if plan.dry_run else database.writing() as connection:
        if not plan.dry_run:
            database.lock(connection, LOCK)
        # Under the lock, so that feeds added meanwhile by hand are compared, too.
        gone = _missing(connection, listed) if plan.full else []
        if plan.full:
            _check_shrinkage(connection, len(gone), plan.max_shrinkage, directory)
        applying.apply(connection, usable)
        applying.remove(connection, gone)
        if not plan.dry_run:
            # In the same transaction: otherwise a crash could skip changes.
            SINCE.write(database, connection, repr(until))
    if not plan.dry_run:
        if plan.delete_after is not None:
            synced.deleted = delete_removed(database, now - timedelta(days=plan.delete_after))
        _measure(synced)
    _report_adopted(database, synced)
    return synced


def known_until(database: Database) -> float:
    """Return the time of the last sync, by the directory's clock, in seconds since 1970; or 0."""
    with database.reading() as connection:
        value = SINCE.read(connection)
    try:
        return max(float(value or 0), 0.0)
    except ValueError:
        return 0.0


def follows_a_directory(database: Database) -> bool:
    """Whether there was a sync: a full one will remove feeds that the directory does not have."""
    return known_until(database) > 0


def _usable(listed: Iterable[Listed], synced: Synced) -> list[Listed]:
    """Return the feeds whose URL is taken. The others stay as they are, and are not missing.

    A URL of another kind that can't be fetched is stored: its attempts say so (bad URL).
    """
    usable = []
    for feed in listed:
        why = refusal(feed.url) if feed.url else "no URL in the directory"
        if not why:
            usable.append(feed)
            continue
        synced.count(FeedChange.REFUSED)
        if len(synced.problems) < SHOWN:
            what = shown(feed.url) or one_line(feed.name or "")
            synced.problems.append(FeedProblem(what, why, f"feed {feed.id}"))
    return usable


def _missing(connection: Connection, listed: Mapping[int, Listed]) -> list[int]:
    """Return the ids of the feeds that the directory does not have."""
    statement = select(feeds.c.id).where(feeds.c.removed_at.is_(None)).order_by(feeds.c.id)
    return [id for id in connection.scalars(statement) if id not in listed]


def _check_shrinkage(
    connection: Connection, missing: int, allowed: float, directory: FeedDirectory
) -> None:
    """Raise SyncError if too many feeds would be removed: the answer was probably incomplete."""
    there = feeds.c.removed_at.is_(None)
    total = connection.scalar(select(func.count()).select_from(feeds).where(there)) or 0
    percent = 100 * missing / total if total else 0.0
    if percent > allowed:
        raise SyncError(
            SHRUNK,
            f"directory {directory.server}: it lacks {missing:,} of {total:,} feeds "
            f"({percent:.1f} %), and at most {allowed:g} % may be removed: nothing was changed; "
            "if the directory is right, use --max-shrinkage",
        )


def _measure(synced: Synced) -> None:
    for change, number in synced.changes.items():
        CHANGES.add(number, change=change)
    if synced.full and synced.listed:
        same = (FeedChange.UNCHANGED, FeedChange.REFUSED)
        changed = sum(number for kind, number in synced.changes.items() if kind not in same)
        DRIFT.set(100 * changed / synced.listed)


def _report_adopted(database: Database, synced: Synced) -> None:
    """Add the feeds with adopted URLs to the report: the directory has the old ones."""
    is_adopted = and_(feeds.c.adopted_url.is_not(None), feeds.c.removed_at.is_(None))
    columns = select(feeds.c.id, feeds.c.url, feeds.c.adopted_url).where(is_adopted)
    with database.reading() as connection:
        count = connection.scalar(select(func.count()).select_from(feeds).where(is_adopted))
        rows = connection.execute(columns.order_by(feeds.c.id).limit(SHOWN)).all()
    synced.adopted_count = count or 0
    synced.adopted = [Adopted(*row) for row in rows]
