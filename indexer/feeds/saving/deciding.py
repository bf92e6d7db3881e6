"""Which items are new stories, for many attempts at once, in a few statements (feeds.md 8).

    keys of all items → known: a duplicate
    the others → [lock] → known by now? → the same title in its source this week? → new

Who finds the lock free has it from the start, and looks once. It is held from before ids are given
until the transaction ends: stories become visible in the order of their ids, so who asks for the
last id + 1 misses none (feeds.md 9, cursor gap). Every decision is kept as a key: what was a
duplicate once is not announced later.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, update

from indexer.database import Database
from indexer.database.bulk import insert_rows
from indexer.feeds.attempt import Attempt, ItemCounts, NewItem
from indexer.feeds.identity.normalized_urls import normalized_url
from indexer.feeds.models import stories, story_keys, story_refs
from indexer.feeds.saving.known import AT_ONCE, KnownItems, keys_of
from indexer.text.chunks import chunks

LOCK = "feeds-stories"

ADDED = "ok"
DUPLICATES = ("dup_url", "dup_guid", "dup_title", "dupurl2")
"""The counters of feeds.md 8 of what is decided here, and `dup_guid`, which is ours."""


class Decided(NamedTuple):
    """What became of the items of one attempt: counts, and its new stories: ids and items."""

    counts: ItemCounts
    added: Sequence[tuple[int, NewItem]]


class _Offer(NamedTuple):
    """An item of an attempt, and its keys: the URL's first."""

    number: int
    attempt: Attempt
    item: NewItem
    keys: Sequence[bytes]

    @property
    def title(self) -> tuple[str, int] | None:
        """What no two stories of a source share within some days; None: it has no such title."""
        source = self.attempt.poll.sources_id
        return (self.item.title_hash, source) if self.item.title_hash and source else None

    @property
    def date(self) -> datetime:
        """When it was published, or else found."""
        return self.item.published_at or self.attempt.started


def decide(
    database: Database,
    connection: Connection,
    attempts: Sequence[Attempt],
    now: datetime,
    title_days: int,
) -> list[Decided]:
    """What becomes of each attempt's items: new stories, refs and keys are written.

    In a transaction of the caller's, which should end soon after. Raises what the database does.
    """
    offers = [
        _Offer(number, attempt, item, keys_of(item, attempt.poll.feed_id))
        for number, attempt in enumerate(attempts)
        for item in (attempt.document.items if attempt.document else ())
    ]
    lookup = KnownItems(database, connection, now)
    tables = _Tables(database, connection, now)
    alone = database.is_alone(connection, LOCK)
    known = lookup.stories(key for offer in offers for key in offer.keys)
    fresh = [offer for offer in offers if not any(key in known for key in offer.keys)]
    judge = _Judge(known, now - timedelta(days=title_days))
    if fresh:
        if not alone:
            database.wait_for_others(connection, LOCK)
            judge.learn(lookup.stories(key for offer in fresh for key in offer.keys))
        titles = {offer.title for offer in fresh if offer.title}
        judge.titles = lookup.titles(titles, judge.since)
    for offer in offers:
        judge.take(offer)
    ids = tables.add(judge.new)
    tables.remember(judge, ids, lookup.stale)
    added: dict[int, list[tuple[int, NewItem]]] = {}
    for id, offer in zip(ids, judge.new, strict=True):
        added.setdefault(offer.number, []).append((id, offer.item))
    return [
        Decided(judge.counts(number, attempt), added.get(number, ()))
        for number, attempt in enumerate(attempts)
    ]


class _Judge:
    """Takes one item after the other. What is new has a number below 0 until it has an id."""

    def __init__(self, known: dict[bytes, int], since: datetime) -> None:
        self.since = datetime.combine(since.date(), time.min)
        self.titles: dict[tuple[str, int], int] = {}
        self.new: list[_Offer] = []
        self.refs: dict[tuple[int, int], datetime] = {}
        self.keys: dict[bytes, int] = {}
        self._known = known
        self._lost: set[bytes] = set()
        self._reasons: dict[int, Counter[str]] = {}

    def learn(self, known: Mapping[bytes, int]) -> None:
        """Others have added these since it was looked."""
        self._known.update(known)
        self._lost.update(known)

    def take(self, offer: _Offer) -> None:
        """Decide about an item."""
        reason, story = self._judged(offer)
        if story is None:
            self.new.append(offer)
            story = -len(self.new)
            if offer.title and offer.date >= self.since:
                self.titles[offer.title] = story
        self._reasons.setdefault(offer.number, Counter())[reason] += 1
        for key in offer.keys:
            if key not in self._known:
                self._known[key] = self.keys[key] = story
        if story:
            self.refs[story, offer.attempt.poll.feed_id] = offer.attempt.started

    def counts(self, number: int, attempt: Attempt) -> ItemCounts:
        """What became of one attempt's items."""
        reasons = self._reasons.get(number, Counter())
        skipped = attempt.document.skipped if attempt.document else {}
        return ItemCounts(
            added=reasons[ADDED],
            duplicates=sum(reasons[name] for name in DUPLICATES),
            skipped=sum(skipped.values()),
            reasons={name: count for name, count in {**skipped, **reasons}.items() if count},
        )

    def _judged(self, offer: _Offer) -> tuple[str, int | None]:
        """Why, and which story it is: None if it is a new one, 0 if one that is forgotten."""
        url, *others = offer.keys
        if url in self._known:
            return "dupurl2" if url in self._lost else "dup_url", self._known[url]
        for key in others:
            if key in self._known:
                return "dup_guid", self._known[key]
        if offer.title in self.titles:
            return "dup_title", self.titles[offer.title]
        return ADDED, None


class _Tables:
    """What the database is told, in one transaction."""

    def __init__(self, database: Database, connection: Connection, now: datetime) -> None:
        self._database = database
        self._connection = connection
        self._now = now

    def add(self, offers: Sequence[_Offer]) -> list[int]:
        """Write new stories; their ids, in this order."""
        if not offers:
            return []
        insert = self._database.insert(stories)
        rows = [_row(offer) for offer in offers]
        names = (stories.c.identity, stories.c.id)
        ids = dict(insert_rows(self._database, self._connection, insert, rows, *names))
        return [ids[offer.item.identity] for offer in offers]

    def remember(self, judge: _Judge, ids: Sequence[int], stale: Collection[bytes]) -> None:
        """Write the keys of what was decided, and which feed has shown which story when."""

        def id_of(story: int) -> int:
            return ids[-story - 1] if story < 0 else story

        # Not before: who waits for the lock must not hold rows that its owner may want.
        for some in chunks(sorted(stale), AT_ONCE):
            chosen = self._database.among(story_keys.c.key, some)
            noted = update(story_keys).where(chosen).values(seen_on=self._now.date())
            self._connection.execute(noted)
        keys: list[dict[str, Any]] = [
            {"key": key, "story_id": id_of(story), "seen_on": self._now.date()}
            for key, story in sorted(judge.keys.items())
        ]
        if keys:
            new = self._database.insert(story_keys).on_conflict_do_nothing()
            insert_rows(self._database, self._connection, new, keys)
        refs: list[dict[str, Any]] = [
            {"story_id": id_of(story), "feed_id": feed, "seen_at": seen}
            for (story, feed), seen in judge.refs.items()
        ]
        if refs:
            seen_again = self._database.insert(story_refs)
            seen_again = seen_again.on_conflict_do_update(
                index_elements=[story_refs.c.story_id, story_refs.c.feed_id],
                set_={"seen_at": seen_again.excluded.seen_at},
            )
            refs.sort(key=lambda ref: (ref["story_id"], ref["feed_id"]))
            insert_rows(self._database, self._connection, seen_again, refs)


def _row(offer: _Offer) -> dict[str, Any]:
    item, poll = offer.item, offer.attempt.poll
    return {
        "feed_id": poll.feed_id,
        "sources_id": poll.sources_id,
        "url": item.url,
        "normalized_url": normalized_url(item.url),
        "guid": item.guid,
        "published_at": item.published_at,
        "fetched_at": offer.attempt.started,
        "domain": item.domain,
        "title": item.title,
        "normalized_title": item.normalized_title or None,
        "normalized_title_hash": item.title_hash or None,
        "identity": item.identity,
        "published": item.published,
        "date_source": item.date_source,
    }
