"""The same days on a real database, with the product's claims, turns, blocks, saving and retention.

claim → reserve a turn → blocked? postponed : asked → saved, a few at once → … → pruned nightly
"""

import heapq
import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

from sqlalchemy import func, select

from benchmarks.simulation.arrivals import DAY, minute, moment
from benchmarks.simulation.figures import Record
from benchmarks.simulation.memory import Progress, known, requests
from benchmarks.simulation.policies import Ours
from benchmarks.simulation.server import Servers, seconds
from benchmarks.simulation.world import World
from indexer.database import Database
from indexer.feeds.attempt import POSTPONED, Attempt, NewStory, Poll
from indexer.feeds.identity.places import domain_of, host_keys
from indexer.feeds.models import IS_POLLED, feeds
from indexer.feeds.polling.claiming import ClaimOptions, Claims
from indexer.feeds.polling.paces import Paces
from indexer.feeds.saving.retention import RetentionOptions, prune
from indexer.feeds.saving.saving import SaveOptions, Saver
from indexer.feeds.store import open_feeds

T = TypeVar("T")

TICK = 10 / 60
"""Least minutes between two queries for feeds that are ready."""

AT_ONCE = 100
LONGEST_HOLD = 60.0
"""Most seconds that a fetcher waits for a turn; for a longer wait, it returns the claim."""


class Stored:
    """The feeds of our policy, in an SQLite database in a directory."""

    def __init__(self, world: World, options: SaveOptions, seed: int, directory: Path) -> None:
        self.record = Record()
        self._world = world
        self._policy = Ours(options, seed)
        self._servers = Servers(world.sources, world.hosts, seed)
        self._sources = {source.id: source for source in world.sources}
        self._directory = directory
        self._database = open_feeds(f"sqlite:///{directory / 'feeds.sqlite3'}")
        polite = ClaimOptions()
        self._claims = Claims(self._database, polite, "simulation")
        self._paces = Paces(self._database, polite.feed_secs)
        chance = random.Random(seed)  # noqa: S311 - repeatable
        self._saver = Saver(self._database, options, chance.random)
        self._starts: list[tuple[float, int, Poll]] = []
        self._ends: list[tuple[float, int, Attempt]] = []
        self._announced: set[str] = set()
        _fill(self._database, world, chance)

    def run(self, progress: Progress) -> Record:
        """Poll until the last day ends."""
        at, day = 0.0, 0
        while at < self._world.days * DAY:
            if at >= day * DAY:
                progress(day, self.record.polls)
                self._prune(moment(at))
                day += 1
            for poll in self._claims.claim(moment(at), AT_ONCE):
                self._begin(poll, at)
            at = max(at + TICK, self._next())
            self._advance(at)
        self._database.close()
        return self.record

    def _begin(self, poll: Poll, at: float) -> None:
        wait = self._paces.reserve(poll.keys, moment(at), LONGEST_HOLD)
        start = at + wait / 60
        if wait > LONGEST_HOLD:
            self._end(_postponed(poll, at, moment(start)), at)
        else:
            heapq.heappush(self._starts, (start, poll.feed_id, poll))

    def _advance(self, now: float) -> None:
        """Begin and end all fetches until `now`."""
        for start, poll in _due(self._starts, now):
            until = self._paces.blocked(poll.keys, moment(start))
            if until is None:
                self._fetch(poll, start)
            else:
                self._end(_postponed(poll, start, until), start)
        ended = [attempt for _, attempt in _due(self._ends, now)]
        if ended:
            for saved in self._saver.save(ended, moment(now)):
                self._announce(saved.stories, now)

    def _fetch(self, poll: Poll, at: float) -> None:
        host = self._sources[poll.feed_id].host
        conditional = self._policy.conditional(poll, moment(at))
        attempt = self._servers.ask(poll, at, conditional=conditional)
        crowded = bool(self._world.hosts[host].closed)
        self.record.start(host, at, requests(attempt), crowded=crowded)
        if attempt.answer and attempt.answer.retry_at:
            self._paces.block(host_keys(poll.url), attempt.answer.retry_at)
            self.record.told(host, minute(attempt.answer.retry_at))
        self._end(attempt, at + seconds(attempt) / 60)

    def _end(self, attempt: Attempt, at: float) -> None:
        heapq.heappush(self._ends, (at, attempt.poll.feed_id, attempt))

    def _announce(self, stories: Sequence[NewStory], now: float) -> None:
        for story in stories:
            link, feed = str(story.rss_entry["link"]), int(story.origin.get("feed_id", 0))
            self.record.phantoms += link in self._announced
            self._announced.add(link)
            found = self._sources[feed].origin.found
            number = int(link.rpartition("/")[2])
            found[number] = now if found[number] is None else found[number]

    def _next(self) -> float:
        """The time of the next event."""
        with self._database.reading() as connection:
            ready = connection.scalar(select(func.min(feeds.c.ready_at)).where(IS_POLLED))
        moments = [queue[0][0] for queue in (self._starts, self._ends) if queue]
        return min([*moments, minute(ready) if ready else self._world.days * DAY])

    def _prune(self, now: datetime) -> None:
        options = RetentionOptions(data=self._directory)
        prune(self._database, options, now, delete=True)


def _due(queue: list[tuple[float, int, T]], now: float) -> Iterator[tuple[float, T]]:
    while queue and queue[0][0] <= now:
        at, _, what = heapq.heappop(queue)
        yield at, what


def _postponed(poll: Poll, at: float, until: datetime) -> Attempt:
    return Attempt(poll=poll, started=moment(at), status=POSTPONED, until=until)


def _fill(database: Database, world: World, chance: random.Random) -> None:
    rows = []
    for source in world.sources:
        feed = known(source)
        columns = ("id", "sources_id", "url", "host", "created_at", "last_fetch_success")
        row = {name: getattr(feed, name) for name in (*columns, "last_parse_success")}
        row["last_new_stories"] = feed.last_new_stories
        row["domain"] = domain_of(feed.url or "")
        row["next_fetch_attempt"] = moment(0) + timedelta(minutes=chance.uniform(0, 360))
        rows.append(row)
    with database.writing() as connection:
        connection.execute(feeds.insert(), rows)
