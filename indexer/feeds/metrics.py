"""The numbers of polling, by the names that dashboards have (feeds.md 12).

    scheduler   looked, ON_HAND
    fetcher     attempt_began, WORKERS
    saver       attempt_ended, items, adjusted, SAVE, NO_OVERLAP
    feed-stats  what `statistics` has found: the gauges at the end

In statsd labels are appended: `feeds.stat_ok`, `adjust.stat_up`, `total.status_ok`.
"""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from indexer.metrics import counter, gauge, timer

FEEDS = counter("feeds", "attempts at feeds, by how they ended", "stat")
ATTEMPT = timer(
    "total", "an attempt at a feed, from its fetch to its end, by how it ended", "status"
)
START_DELAY = timer("start_delay", "how long feeds that were due waited for their fetch")
SAVE = timer("story.save", "saving what has come of attempts at feeds, one transaction")

ITEMS = (
    *("ok", "dup_url", "dup_guid", "dup_title", "dupurl2"),
    *("tossed", "relurl", "toolong", "home", "home_query", "bad", "bad2", "nonews", "nonurl"),
)
"""What can become of an item: the counters of feeds.md 8, and `dup_guid`."""

OTHER = "other"

# One metric each: `stories` counts messages, with other labels.
STORIES = {
    name: counter(f"stories.stat_{name}", f"items of feeds that were {name}")
    for name in (*ITEMS, OTHER)
}

ADJUST = counter(
    "adjust", "what successes do to feeds' intervals: no_last, up, down; min, max", "stat"
)
NO_OVERLAP = counter("feeds.no-overlap", "polls that showed nothing of the one before")

HUNTER = {
    name: counter(f"hunter.{name}", about)
    for name, about in {
        "find_work": "looks of a scheduler for feeds that are ready",
        "refill": "looks that found some",
        "get_ready": "feeds that were claimed",
        "stale": "feeds whose attempt had not ended when its lease did",
        "stalled": "looks that found none, while some were ready: their hosts had no room",
    }.items()
}

ON_HAND = gauge("on_hand", "feeds that are claimed, as a scheduler sees it")
BLOCKED = gauge("hunter.blocked", "feeds that are due, and put off because their host has no room")
WORKERS = {
    name: gauge(f"workers.{name}", about)
    for name, about in {
        "active": "threads of a fetcher that fetch a feed",
        "current": "threads of a fetcher that there are",
        "n": "threads of a fetcher that there may be",
    }.items()
}

READY = gauge("db.ready", "feeds that are due, and not claimed")
RUNNING = gauge("db.running", "feeds that are claimed")
READY_AGE = gauge("ready-age", "seconds that feeds are due already: p50, p95, p99, max", "quantile")
RECENT_FEEDS = gauge("feeds.recent", "feeds tried in the last 24 hours, by their status", "status")
RECENT_SOURCES = gauge(
    "sources.recent",
    "sources with feeds tried in the last 24 hours, by those feeds' status",
    "status",
)
SILENT = gauge("feeds.silent", "feeds that are read without fault, and have brought nothing lately")
# The same words as of the rss-puller's gauge of that name.
MAX_ID = gauge(
    "stories.max-id", "the last story: of those that a puller has queued, or in a database"
)
COUNT = gauge("stories.count", "stories that are kept; on PostgreSQL an estimate")
REFS = gauge(
    "story-refs.count", "refs of feeds to stories that are kept; on PostgreSQL an estimate"
)
TOP_SUM = gauge(
    "stories.top-domain.sum", "stories of the last 24 hours of the ten domains with most"
)
TOP_AVERAGE = gauge("stories.top-domain.avg", "the same for each of the ten domains")
DELAY = gauge(
    "discovery-delay",
    "seconds from date to fetch of the last 24 hours' stories: p50, p95, p99",
    "quantile",
)


class Threads:
    """Counts the threads of a fetcher that are at work. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._lock = threading.Lock()
        self._active = 0
        WORKERS["n"].set(most)
        WORKERS["current"].set(most)

    @contextmanager
    def working(self) -> Iterator[None]:
        """While it runs, one more is."""
        self._add(1)
        try:
            yield
        finally:
            self._add(-1)

    def _add(self, number: int) -> None:
        with self._lock:
            self._active += number
            WORKERS["active"].set(self._active)


def attempt_began(due: datetime | None, now: datetime) -> None:
    """Count the start of an attempt at a feed that was due; None: as soon as possible."""
    if due is not None:
        START_DELAY.observe(max((now - due).total_seconds(), 0.0))


def attempt_ended(label: str, seconds: float) -> None:
    """Count the end of an attempt that took so long: a `statuses.label`, or `missing`, `insane`.

    Missing: there is no such feed any more. Insane: its lease was not this attempt's any more.
    """
    FEEDS.add(stat=label)
    ATTEMPT.observe(max(seconds, 0.0), status=label)


def items(reasons: Mapping[str, int]) -> None:
    """Count what became of the items of a document: `Counts.reasons`."""
    for name, number in reasons.items():
        STORIES.get(name, STORIES[OTHER]).add(number)


def adjusted(before: int | None, after: int | None, least: int, most: int) -> None:
    """Count what a success did to a feed's `poll_minutes`, and whether it is at a limit now."""
    if after is None:
        return
    if before is None:
        ADJUST.add(stat="no_last")
    elif after != before:
        ADJUST.add(stat="up" if after > before else "down")
    if after <= least:
        ADJUST.add(stat="min")
    elif after >= most:
        ADJUST.add(stat="max")


def looked(claimed: int, *, waiting: bool) -> None:
    """Count a scheduler's look for work, and what it has claimed.

    `waiting`: some were ready that had no room.
    """
    HUNTER["find_work"].add()
    if claimed:
        HUNTER["refill"].add()
        HUNTER["get_ready"].add(claimed)
    elif waiting:
        HUNTER["stalled"].add()
