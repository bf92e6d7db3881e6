"""Simulates days of polling in minutes: the policy is real code, everything else is in memory."""

import heapq
import random
from collections.abc import Callable
from datetime import timedelta

import msgspec

from benchmarks.simulation.arrivals import DAY, minute, moment
from benchmarks.simulation.figures import Record
from benchmarks.simulation.policies import Policy
from benchmarks.simulation.server import Servers, seconds
from benchmarks.simulation.world import Source, World
from indexer.feeds.attempt import Attempt, ItemCounts, Poll
from indexer.feeds.feed import Feed

SPACING = 5 / 60
"""Minutes between two starts at a host."""

Progress = Callable[[int, int], None]
"""Called with the day and the number of polls so far."""


class Memory:
    """The feeds of one policy, over all days of a world."""

    def __init__(self, world: World, policy: Policy, seed: int) -> None:
        self.record = Record()
        self._world, self._policy = world, policy
        self._servers = Servers(world.sources, world.hosts, seed)
        self._sources = {source.id: source for source in world.sources}
        self._feeds = {source.id: known(source) for source in world.sources}
        self._turns: dict[str, float] = {}
        self._blocked: dict[str, float] = {}
        chance = random.Random(seed)  # noqa: S311 - repeatable
        # Imported feeds are first polled within six hours.
        self._queue = [(chance.uniform(0, 360), id, False) for id in self._feeds]
        heapq.heapify(self._queue)

    def run(self, progress: Progress) -> Record:
        """Poll until the last day ends."""
        end, day = self._world.days * DAY, 0
        while self._queue[0][0] < end:
            at, id, reserved = heapq.heappop(self._queue)
            if at >= day * DAY:
                progress(day, self.record.polls)
                day += 1
            later = self._wait(self._sources[id].host, at, reserved=reserved)
            if later is None:
                heapq.heappush(self._queue, (self._poll(id, at), id, False))
            else:
                heapq.heappush(self._queue, (later[0], id, later[1]))
        return self.record

    def _wait(self, host: str, at: float, *, reserved: bool) -> tuple[float, bool] | None:
        """The time to try again, and whether the turn is reserved for then; None: poll now."""
        blocked = self._blocked.get(host, 0.0)
        if self._policy.whole_host and blocked > at:
            return blocked, False
        if reserved:
            return None
        turn = max(at, self._turns.get(host, 0.0))
        self._turns[host] = turn + SPACING
        return (turn, True) if turn > at else None

    def _poll(self, id: int, at: float) -> float:
        """Poll a feed. Returns the minute of its next poll."""
        source, feed = self._sources[id], self._feeds[id]
        poll = poll_of(feed, at)
        conditional = self._policy.conditional(poll, moment(at))
        attempt = self._servers.ask(poll, at, conditional=conditional)
        crowded = bool(self._world.hosts[source.host].closed)
        self.record.start(source.host, at, requests(attempt), crowded=crowded)
        if attempt.answer and attempt.answer.retry_at:
            self._blocked[source.host] = minute(attempt.answer.retry_at)
            self.record.told(source.host, minute(attempt.answer.retry_at))
        done = at + seconds(attempt) / 60
        counts = self._counts(source, attempt, done)
        columns = self._policy.after(feed, attempt, counts, moment(done))
        feed = self._feeds[id] = msgspec.structs.replace(feed, **columns)
        return max(done, minute(feed.next_fetch_attempt)) if feed.next_fetch_attempt else done

    def _counts(self, source: Source, attempt: Attempt, done: float) -> ItemCounts | None:
        """Mark new stories as found; the numbers of new and known items."""
        origin = source.origin
        if attempt.unchanged:
            origin.shown = done
        if attempt.document is None:
            return None
        until = origin.until(minute(attempt.started) + 1e-9)
        shown = range(max(0, until - source.window), until)
        new = [number for number in shown if origin.found[number] is None]
        for number in new:
            origin.found[number] = done
        again = 0
        if self._policy.forgets and done - origin.shown > self._policy.forgets:
            again = len(shown) - len(new)
            self.record.phantoms += again
        origin.shown = done
        added = len(new) + again
        return ItemCounts(added=added, duplicates=len(shown) - added)


def known(source: Source) -> Feed:
    """The columns of a feed that has been polled for long, last six hours ago."""
    origin = source.origin
    before = origin.until(-360.0)
    for number in range(before):
        origin.found[number] = -360.0
    origin.shown = -360.0
    last = moment(origin.times[before - 1]) if before else None
    return Feed(
        id=source.id,
        sources_id=source.id,
        url=f"https://{source.host}/{source.id}/feed",
        host=source.host,
        created_at=moment(-1000 * DAY),
        last_fetch_success=moment(-360.0),
        last_parse_success=moment(-360.0),
        last_new_stories=last,
    )


def requests(attempt: Attempt) -> int:
    """The number of requests of an attempt: one, and one for each redirect."""
    return 1 + (len(attempt.answer.hops) if attempt.answer else 0)


def poll_of(feed: Feed, at: float) -> Poll:
    """The message to the fetcher for a feed."""
    return Poll(
        feed_id=feed.id,
        url=feed.fetch_url,
        lease="",
        expires=moment(at) + timedelta(minutes=15),
        hash=feed.last_fetch_hash,
        etag=feed.http_etag,
        validators_url=feed.validators_url,
        validators_trusted=feed.validators_trusted,
        not_modified_count=feed.not_modified_count,
        full_fetch_at=feed.full_fetch_at,
    )
