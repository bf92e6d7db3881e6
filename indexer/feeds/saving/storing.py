"""Stores the items of many attempts in few statements: stories, keys and refs (feeds.md 8).

    keys of all items → [lock if some are unknown] → keys again, titles → decide → rows

The keys of duplicates are stored too, so that no later poll announces them.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import Connection, select, update

from indexer.database import Database
from indexer.database.bulk import insert_rows
from indexer.feeds.attempt import Attempt, ItemCounts, NewItem
from indexer.feeds.models import stories, story_keys, story_refs
from indexer.feeds.saving.deciding import (
    ADDED,
    DELETED,
    DUPLICATES,
    Candidate,
    Decision,
    KnownStories,
    candidates_of,
    decide,
    first_title_date,
)
from indexer.feeds.saving.story_lookup import AT_ONCE, StoryLookup
from indexer.news.normalized_urls import normalized_url
from indexer.text.chunks import chunks

LOCK = "feeds-stories"


class StoredItems(NamedTuple):
    """The items of one attempt: how many of each kind, and its new stories with their ids."""

    counts: ItemCounts
    added: Sequence[tuple[int, NewItem]]


def store_items(
    database: Database,
    connection: Connection,
    attempts: Sequence[Attempt],
    now: datetime,
    title_days: int,
) -> list[StoredItems]:
    """Decide about the items of the attempts, and write the decisions.

    Runs in the caller's transaction, which should end soon. Raises the database's errors.
    """
    batches = [candidates_of(attempt) for attempt in attempts]
    candidates = [each for batch in batches for each in batch]
    lookup = StoryLookup(database, connection, now)
    since = first_title_date(now, title_days)
    known = _look_up(database, connection, lookup, candidates, since)
    decisions = decide(candidates, known, since)
    rows = _Rows(database, connection, now.date())
    ids = rows.add_stories(candidates, decisions)
    rows.renew_keys(lookup.stale)
    rows.add_keys(candidates, ids, known.stories)
    rows.add_refs(candidates, ids)
    results = zip(candidates, decisions, ids, strict=True)
    return [
        _stored(attempt, islice(results, len(batch)))
        for attempt, batch in zip(attempts, batches, strict=True)
    ]


def _look_up(
    database: Database,
    connection: Connection,
    lookup: StoryLookup,
    candidates: Sequence[Candidate],
    since: datetime,
) -> KnownStories:
    """The known stories. If some items have unknown keys, the lock is held on return.

    It is held from before ids are assigned until the transaction ends. So stories become visible
    in the order of their ids, and a client that reads after the last id misses none (feeds.md 9,
    cursor gap).
    """
    # Taken before the first query if it is free: then no second query is needed.
    has_lock = database.try_lock(connection, LOCK)
    known = lookup.stories(key for each in candidates for key in each.keys)
    fresh = [each for each in candidates if known.keys().isdisjoint(each.keys)]
    if not fresh:
        return KnownStories(known, {})
    late: Mapping[bytes, int] = {}
    if not has_lock:
        database.lock(connection, LOCK)
        # The saver that held the lock may have stored the same items.
        late = lookup.stories(key for each in fresh for key in each.keys)
    titles = {each.title for each in fresh if each.title}
    return KnownStories({**known, **late}, lookup.titles(titles, since), late)


def _stored(attempt: Attempt, results: Iterable[tuple[Candidate, Decision, int]]) -> StoredItems:
    skipped = attempt.document.skipped if attempt.document else {}
    reasons: Counter[str] = Counter()
    added = []
    for candidate, decision, id in results:
        reasons[decision.counter] += 1
        if decision.counter == ADDED:
            added.append((id, candidate.item))
    counts = ItemCounts(
        added=len(added),
        duplicates=sum(reasons[name] for name in DUPLICATES),
        skipped=sum(skipped.values()),
        reasons={name: count for name, count in {**skipped, **reasons}.items() if count},
    )
    return StoredItems(counts, added)


@dataclass
class _Rows:
    """Writes rows in one transaction."""

    database: Database
    connection: Connection
    today: date

    def add_stories(
        self, candidates: Sequence[Candidate], decisions: Sequence[Decision]
    ) -> list[int]:
        """Insert the new stories; the story id of each item, DELETED for a deleted story."""
        new = [
            each
            for each, decision in zip(candidates, decisions, strict=True)
            if decision.counter == ADDED
        ]
        added: dict[str, int] = {}
        # The lock is held if there is a new story, so no other saver inserts its identity.
        if new:
            insert = self.database.insert(stories)
            names = (stories.c.identity, stories.c.id)
            rows = [_row(each) for each in new]
            added = dict(insert_rows(self.database, self.connection, insert, rows, *names))
        return [
            added[candidates[position].item.identity] if position is not None else id or DELETED
            for _, id, position in decisions
        ]

    def renew_keys(self, stale: Collection[bytes]) -> None:
        """Note that keys were seen today.

        Called after the lock is taken: a saver that waited for it while it held rows of
        `story_keys` would block the saver that has it.
        """
        for some in chunks(sorted(stale), AT_ONCE):
            # A row that is locked is being renewed by another saver; waiting for it could
            # deadlock, as an UPDATE locks its rows in any order.
            chosen = select(story_keys.c.key).where(self.database.among(story_keys.c.key, some))
            chosen = chosen.with_for_update(skip_locked=True)
            renewed = update(story_keys).where(story_keys.c.key.in_(chosen))
            self.connection.execute(renewed.values(seen_on=self.today))

    def add_keys(
        self, candidates: Sequence[Candidate], ids: Sequence[int], known: Mapping[bytes, int]
    ) -> None:
        """Insert the keys that are not known; the first item with a key owns it."""
        owners: dict[bytes, int] = {}
        for candidate, id in zip(candidates, ids, strict=True):
            for key in candidate.keys:
                if key not in known:
                    owners.setdefault(key, id)
        if owners:
            # Sorted, as savers that insert the same keys in different orders would deadlock.
            rows: list[dict[str, Any]] = [
                {"key": key, "story_id": id, "seen_on": self.today}
                for key, id in sorted(owners.items())
            ]
            # A saver without new stories holds no lock, and may insert the same key of a guid.
            insert = self.database.insert(story_keys).on_conflict_do_nothing()
            insert_rows(self.database, self.connection, insert, rows)

    def add_refs(self, candidates: Sequence[Candidate], ids: Sequence[int]) -> None:
        """Insert or update which feed has shown which story, and when."""
        seen = {
            (id, candidate.feed_id): candidate.found_at
            for candidate, id in zip(candidates, ids, strict=True)
            if id != DELETED
        }
        if seen:
            rows: list[dict[str, Any]] = [
                {"story_id": story, "feed_id": feed, "seen_at": at}
                for (story, feed), at in sorted(seen.items())
            ]
            insert = self.database.insert(story_refs)
            insert = insert.on_conflict_do_update(
                index_elements=[story_refs.c.story_id, story_refs.c.feed_id],
                set_={"seen_at": insert.excluded.seen_at},
            )
            insert_rows(self.database, self.connection, insert, rows)


def _row(candidate: Candidate) -> dict[str, Any]:
    item = candidate.item
    return {
        "feed_id": candidate.feed_id,
        "sources_id": candidate.sources_id,
        "url": item.url,
        "normalized_url": normalized_url(item.url),
        "guid": item.guid,
        "published_at": item.published_at,
        "fetched_at": candidate.found_at,
        "domain": item.domain,
        "title": item.title,
        "normalized_title": item.normalized_title or None,
        "normalized_title_hash": item.title_hash or None,
        "identity": item.identity,
        "published": item.published,
        "date_source": item.date_source,
    }
