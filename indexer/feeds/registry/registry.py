"""The feeds that are polled: added, many at once; a URL is one feed, however often it is added.

specs → checked → known by URL? → given ids kept, others get the next free ones → rows
"""

import random
from collections.abc import Iterable, Mapping, Sequence
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

LOCK = "feeds-registry"
"""What those say who add feeds: a URL has no unique index, and ids are given here."""

SPREAD = timedelta(hours=6)
"""The time over which the first polls of an import are spread (feeds.md 12)."""

AT_ONCE = 1000
"""Rows in a statement."""

_LAST_ID = ("feeds", "last_id")
"""Where in `properties` the highest id is that was ever given: none is given twice."""


@dataclass(frozen=True, slots=True)
class KnownFeed:
    """A URL that was offered, and the feed that has it, or nearly has it."""

    url: str
    id: int
    feed_url: str


@dataclass(slots=True)
class AddedFeeds:
    """What became of feeds that were offered.

    `added`: the new ones. `restored`: had been removed, and are polled again. `known`: were
    there. `near`: are new, but there is a feed whose URL hardly differs. `refused`: can't be.
    """

    added: list[tuple[int, str]] = field(default_factory=list)
    restored: list[tuple[int, str]] = field(default_factory=list)
    known: list[KnownFeed] = field(default_factory=list)
    near: list[KnownFeed] = field(default_factory=list)
    refused: list[FeedProblem] = field(default_factory=list)

    @property
    def ids(self) -> list[int]:
        """The feeds that are polled now and were not before."""
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
    """Add feeds, all in one transaction: all of them, or none. Raises StorageError.

    They are polled at once; or, if a `spread` is given, at random within that time. `wipe`: all
    feeds that were there are deleted before, with their events; stories stay.
    """
    added = AddedFeeds()
    offered: dict[str, _Offer] = {}
    for spec in specs:
        found = checked(spec)
        if isinstance(found, FeedProblem):
            added.refused.append(found)
        elif found.url not in offered:
            # What takes time is done before others have to wait.
            offered[found.url] = _Offer(found, normal_form(found.url), *place_of(found.url))
    with database.writing() as connection:
        database.lock(connection, LOCK)
        if wipe:
            keep_last_id(database, connection)
            connection.execute(delete(fetch_events))
            connection.execute(delete(feeds))
        _Adding(connection, added, now, _Times(now, spread, chance)).add(offered)
    return added


class _Offer(NamedTuple):
    """A feed that may be new; `form`: the normal form of its URL."""

    spec: FeedSpec
    form: str
    host: str | None
    domain: str | None


class _Times:
    """When feeds are polled first."""

    def __init__(self, now: datetime, spread: timedelta, chance: random.Random | None) -> None:
        self._now = now
        self._spread = spread
        # Nothing that has to be secret: it may be foreseen.
        self._chance = chance or random.Random()  # noqa: S311

    def next(self) -> datetime | None:
        """None: as soon as possible."""
        if not self._spread:
            return None
        return self._now + self._spread * self._chance.random()


class _Adding:
    def __init__(
        self, connection: Connection, added: AddedFeeds, now: datetime, times: _Times
    ) -> None:
        self._connection = connection
        self._added = added
        self._now = now
        self._times = times

    def add(self, offered: Mapping[str, _Offer]) -> None:
        """Add those that are new, by URL."""
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
                    taken[spec.id] = url
        self._restore(removed)
        self._insert(new, near)

    def _restore(self, ids: Sequence[int]) -> None:
        for some in chunks(ids, AT_ONCE):
            statement = (
                update(feeds)
                .where(feeds.c.id.in_(some))
                .values(removed_at=None, gone_at=None, next_fetch_attempt=self._times.next())
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
            rows.append(row | {"next_fetch_attempt": self._times.next()})
            self._added.added.append((id, url))
            if twin := near.get(offer.form):
                self._added.near.append(KnownFeed(url, *twin))
            else:
                near[offer.form] = (id, url)
        for some in chunks(rows, AT_ONCE):
            self._connection.execute(insert(feeds), some)


def row_of(
    id: int, spec: FeedSpec, place: tuple[str | None, str | None], now: datetime
) -> dict[str, Any]:
    """The row of a new feed; `place`: the host and domain of its URL."""
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
    """The highest id that was ever given, those `ids` included."""
    kept = connection.scalar(_kept_last_id())
    highest = connection.scalar(select(func.max(feeds.c.id)))
    return max(int(kept or 0), highest or 0, *ids, 0)


def keep_last_id(database: Database, connection: Connection) -> None:
    """Write down the highest id, before feeds are deleted: stories stay under their ids."""
    section, key = _LAST_ID
    value = str(last_id(connection))
    new = database.insert(properties).values(section=section, key=key, value=value)
    new = new.on_conflict_do_update(
        index_elements=[properties.c.section, properties.c.key], set_={"value": value}
    )
    connection.execute(new)


def _kept_last_id() -> Any:
    section, key = _LAST_ID
    return select(properties.c.value).where(
        properties.c.section == section, properties.c.key == key
    )


def _there(
    connection: Connection, offered: Mapping[str, _Offer]
) -> tuple[dict[str, tuple[int, bool]], dict[int, str], dict[str, tuple[int, str]]]:
    """Of all feeds, those that matter for what is offered.

    By URL: id, and whether it was removed; by id: URL; by normal form of the URL: id and URL.
    """
    ids = {offer.spec.id for offer in offered.values() if offer.spec.id is not None}
    forms = {offer.form for offer in offered.values()}
    there: dict[str, tuple[int, bool]] = {}
    taken: dict[int, str] = {}
    near: dict[str, tuple[int, str]] = {}
    statement = select(feeds.c.id, feeds.c.url, feeds.c.removed_at).order_by(feeds.c.id)
    rows = connection.execute(statement.execution_options(yield_per=ROWS))
    for id, url, removed_at in rows:
        if id in ids:
            taken[id] = url or ""
        if not url:
            continue
        is_removed = removed_at is not None
        # Of several with one URL the one that is polled counts.
        if url in offered and (url not in there or (there[url][1] and not is_removed)):
            there[url] = (id, is_removed)
        if not is_removed and (form := normal_form(url)) in forms:
            near.setdefault(form, (id, url))
    return there, taken, near
