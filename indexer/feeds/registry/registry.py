"""Adds feeds, many at once; a URL that is added again stays one feed.

specs → checked → known by URL? → given ids kept, others get the next free ones → rows
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from indexer.database import Database
from indexer.feeds.identity.places import place_of
from indexer.feeds.models import feeds, fetch_events, properties
from indexer.feeds.registry.feed_spec import FeedProblem, FeedSpec, checked
from indexer.feeds.registry.twins import ROWS, normal_form
from indexer.text.chunks import chunks


class StoredProperty(NamedTuple):
    """A value that programs keep in the table `properties` (feeds.md 2.2), by section and key."""

    section: str
    key: str

    def read(self, connection: Connection) -> str | None:
        """Return the value; None if there is none."""
        is_it = (properties.c.section == self.section) & (properties.c.key == self.key)
        return connection.scalar(select(properties.c.value).where(is_it))

    def write(self, database: Database, connection: Connection, value: str) -> None:
        """Store a value in place of the one before."""
        row = database.insert(properties).values(**self._asdict(), value=value)
        columns = [properties.c.section, properties.c.key]
        connection.execute(row.on_conflict_do_update(index_elements=columns, set_={"value": value}))


LOCK = "feeds-registry"
"""The lock of all that add or delete feeds: URLs have no unique index, and ids are chosen here."""

AT_ONCE = 1000
"""Rows in a statement."""

LAST_ID = StoredProperty("feeds", "last_id")
"""The highest id ever given: ids are not reused, as stories keep the id of a deleted feed."""


@dataclass(frozen=True, slots=True)
class KnownFeed:
    """A URL that was to be added, and the feed that has the same one, or nearly the same."""

    url: str
    id: int
    feed_url: str


@dataclass(slots=True)
class AddedFeeds:
    """The result of adding feeds.

    `added`: new feeds. `restored`: removed feeds that are polled again. `known`: feeds that were
    there. `near`: new feeds whose URL is nearly that of another feed. `refused`: not valid.
    """

    added: list[tuple[int, str]] = field(default_factory=list)
    restored: list[tuple[int, str]] = field(default_factory=list)
    known: list[KnownFeed] = field(default_factory=list)
    near: list[KnownFeed] = field(default_factory=list)
    refused: list[FeedProblem] = field(default_factory=list)

    @property
    def ids(self) -> list[int]:
        """The ids of new and restored feeds."""
        return [id for id, _ in (*self.added, *self.restored)]


def add(
    database: Database,
    specs: Iterable[FeedSpec],
    now: datetime,
    spread: timedelta = timedelta(),
    chance: random.Random | None = None,
    *,
    wipe: bool = False,
) -> AddedFeeds:
    """Add feeds, all or none, in one transaction. Raises StorageError.

    Their first polls are due at once or, with a `spread`, at random within that time. `wipe`:
    delete all other feeds before, with their events; stories stay.
    """
    numbers = chance or random.Random()  # noqa: S311 - need not be secret

    def first_poll() -> datetime | None:
        return now + spread * numbers.random() if spread else None

    added = AddedFeeds()
    offered: dict[str, _Offer] = {}
    for spec in specs:
        found = checked(spec)
        if isinstance(found, FeedProblem):
            added.refused.append(found)
        elif found.url not in offered:
            # Domains and normal forms take time: they are found before the lock is taken.
            offered[found.url] = _Offer(found, normal_form(found.url), *place_of(found.url))
    with database.writing() as connection:
        database.lock(connection, LOCK)
        if wipe:
            keep_last_id(database, connection)
            connection.execute(delete(fetch_events))
            connection.execute(delete(feeds))
        _Adding(connection, added, now, first_poll).add(offered)
    return added


class _Offer(NamedTuple):
    """A feed that may be new; `form` is the normal form of its URL."""

    spec: FeedSpec
    form: str
    host: str | None
    domain: str | None


class _Adding:
    def __init__(
        self,
        connection: Connection,
        added: AddedFeeds,
        now: datetime,
        first_poll: Callable[[], datetime | None],
    ) -> None:
        self._connection = connection
        self._added = added
        self._now = now
        self._first_poll = first_poll

    def add(self, offered: Mapping[str, _Offer]) -> None:
        """Add the feeds that are new; `offered` has them by URL."""
        if not offered:
            return
        there, taken, near = _there(self._connection, offered)
        removed: list[int] = []
        new: list[_Offer] = []
        for url, offer in offered.items():
            spec = offer.spec
            if url in there:
                id, is_removed = there[url]
                if is_removed:
                    removed.append(id)
                    self._added.restored.append((id, url))
                else:
                    self._added.known.append(KnownFeed(url, id, url))
            elif spec.id is not None and spec.id in taken:
                why = f"{spec.id} is the id of another feed: {taken[spec.id]}"
                self._added.refused.append(FeedProblem(url, why))
            else:
                new.append(offer)
                if spec.id is not None:
                    # A list may have the same id for two URLs.
                    taken[spec.id] = url
        self._restore(removed)
        self._insert(new, near)

    def _restore(self, ids: Sequence[int]) -> None:
        for some in chunks(ids, AT_ONCE):
            statement = (
                update(feeds)
                .where(feeds.c.id.in_(some))
                .values(removed_at=None, gone_at=None, next_fetch_attempt=self._first_poll())
            )
            self._connection.execute(statement)

    def _insert(self, new: Sequence[_Offer], near: dict[str, tuple[int, str]]) -> None:
        if not new:
            return
        last = last_id(self._connection, (offer.spec.id or 0 for offer in new))
        rows: list[dict[str, Any]] = []
        for offer in new:
            id, url = offer.spec.id, offer.spec.url
            if id is None:
                id = last = last + 1
            row = row_of(id, offer.spec, (offer.host, offer.domain), self._now)
            rows.append(row | {"next_fetch_attempt": self._first_poll()})
            self._added.added.append((id, url))
            if twin := near.get(offer.form):
                self._added.near.append(KnownFeed(url, *twin))
            else:
                # A later feed of the same list may be its twin.
                near[offer.form] = (id, url)
        # Databases limit the number of parameters of a statement.
        for some in chunks(rows, AT_ONCE):
            self._connection.execute(insert(feeds), some)


def row_of(
    id: int, spec: FeedSpec, place: tuple[str | None, str | None], now: datetime
) -> dict[str, Any]:
    """Make the row of a new feed; `place` is the host and domain of its URL."""
    return {
        "id": id,
        "sources_id": spec.sources_id,
        "name": spec.name or None,
        "url": spec.url,
        "active": spec.active,
        "created_at": spec.created_at or now,
        "host": place[0],
        "domain": place[1],
    }


def last_id(connection: Connection, ids: Iterable[int] = ()) -> int:
    """Return the highest id ever given, those in `ids` included."""
    highest = connection.scalar(select(func.max(feeds.c.id)))
    return max(int(LAST_ID.read(connection) or 0), highest or 0, *ids, 0)


def keep_last_id(database: Database, connection: Connection) -> None:
    """Store the highest id; has to be called before feeds are deleted."""
    LAST_ID.write(database, connection, str(last_id(connection)))


def _there(
    connection: Connection, offered: Mapping[str, _Offer]
) -> tuple[dict[str, tuple[int, bool]], dict[int, str], dict[str, tuple[int, str]]]:
    """Find the feeds in the database that have a URL, id or normal form of those offered.

    By URL: id, and whether the feed was removed; by id: URL; by normal form: id and URL.
    """
    ids = {offer.spec.id for offer in offered.values() if offer.spec.id is not None}
    forms = {offer.form for offer in offered.values()}
    there: dict[str, tuple[int, bool]] = {}
    taken: dict[int, str] = {}
    near: dict[str, tuple[int, str]] = {}
    # All rows are read, as normal forms are not stored.
    statement = select(feeds.c.id, feeds.c.url, feeds.c.removed_at).order_by(feeds.c.id)
    rows = connection.execute(statement.execution_options(yield_per=ROWS))
    for id, url, removed_at in rows:
        if id in ids:
            taken[id] = url or ""
        if not url:
            continue
        is_removed = removed_at is not None
        # If several feeds have one URL, prefer one that is not removed.
        if url in offered and (url not in there or (there[url][1] and not is_removed)):
            there[url] = (id, is_removed)
        if not is_removed and (form := normal_form(url)) in forms:
            near.setdefault(form, (id, url))
    return there, taken, near
