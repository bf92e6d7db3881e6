"""The metrics of polling, with the names that dashboards use (feeds.md 12).

    scheduler   looked, ON_HAND
    fetcher     attempt_began, WORKERS
    saver       attempt_ended, items, adjusted, SAVE, NO_OVERLAP
    feed-stats  the gauges at the end, set by `polling.statistics`

In statsd, labels are appended: `feeds.stat_ok`, `adjust.stat_up`, `total.status_ok`.
"""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from indexer.metrics import counter, gauge, timer

FEEDS = counter("feeds", "attempts to poll a feed, by result", "stat")
ATTEMPT = timer("total", "time from the fetch of a feed to the end of its attempt", "status")
START_DELAY = timer("start_delay", "time that due feeds waited for their fetch")
SAVE = timer("story.save", "time of one transaction that ends attempts")

ITEMS = (
    *("ok", "dup_url", "dup_guid", "dup_title", "dupurl2"),
    *("tossed", "relurl", "toolong", "home", "home_query", "bad", "bad2", "nonews", "nonurl"),
)
"""The results of an item: the counters of feeds.md 8, and our own `dup_guid`."""

OTHER = "other"

# One metric for each: the name `stories` is taken by a counter of messages with other labels.
STORIES = {
    name: counter(f"stories.stat_{name}", f"items of feeds with the result {name}")
    for name in (*ITEMS, OTHER)
}

ADJUST = counter(
    "adjust", "changes of feeds' intervals by successes: no_last, up, down; min, max", "stat"
)
NO_OVERLAP = counter("feeds.no-overlap", "polls without any item of the previous poll")

HUNTER = {
    name: counter(f"hunter.{name}", about)
    for name, about in {
        "find_work": "queries of a scheduler for ready feeds",
        "refill": "queries that claimed at least one feed",
        "get_ready": "claimed feeds",
        "stale": "feeds whose lease expired before their attempt ended",
        "stalled": "queries that claimed no feed, as all ready ones were above a limit",
    }.items()
}

ON_HAND = gauge("on_hand", "leased feeds, as counted by a scheduler")
BLOCKED = gauge("hunter.blocked", "due feeds that are deferred, as their host is at its limit")
WORKERS = {
    name: gauge(f"workers.{name}", about)
    for name, about in {
        "active": "threads of a fetcher that fetch a feed now",
        "current": "threads of a fetcher",
        "n": "maximum of threads of a fetcher",
    }.items()
}

READY = gauge("db.ready", "feeds that are due and not leased")
RUNNING = gauge("db.running", "leased feeds")
READY_AGE = gauge("ready-age", "seconds since feeds became due: p50, p95, p99, max", "quantile")
RECENT_FEEDS = gauge("feeds.recent", "feeds polled in the last 24 hours, by status", "status")
RECENT_SOURCES = gauge(
    "sources.recent", "sources with feeds polled in the last 24 hours, by status", "status"
)
SILENT = gauge("feeds.silent", "working feeds without a new story lately, though with some before")
# The rss-puller has the same gauge: a metric has one description in all programs.
MAX_ID = gauge("stories.max-id", "id of the last story: queued by a puller, or in a database")
COUNT = gauge("stories.count", "rows of stories; on PostgreSQL an estimate")
REFS = gauge("story-refs.count", "rows of story_refs; on PostgreSQL an estimate")
TOP_SUM = gauge(
    "stories.top-domain.sum", "last 24 hours' stories of the ten domains with most stories"
)
TOP_AVERAGE = gauge("stories.top-domain.avg", "their mean for each of the ten domains")
DELAY = gauge(
    "discovery-delay",
    "seconds from publication to discovery, of the last 24 hours' stories: p50, p95, p99",
    "quantile",
)


class Threads:
    """Counts the busy threads of a fetcher. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._lock = threading.Lock()
        self._active = 0
        WORKERS["n"].set(most)
        WORKERS["current"].set(most)

    @contextmanager
    def working(self) -> Iterator[None]:
        """Count one more busy thread while the context is open."""
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
    """Observe the delay of a fetch. Without a planned time (`due`) there is none."""
    # Not below 0: `due` was set by another machine's clock.
    if due is not None:
        START_DELAY.observe(max((now - due).total_seconds(), 0.0))


def attempt_ended(label: str, seconds: float) -> None:
    """Count the end of an attempt: a `statuses.label`, or `missing`, `insane`.

    Missing: the feed was deleted. Insane: a later claim has taken the lease.
    """
    FEEDS.add(stat=label)
    ATTEMPT.observe(max(seconds, 0.0), status=label)


def items(reasons: Mapping[str, int]) -> None:
    """Count the items of a document: `ItemCounts.reasons`."""
    for name, number in reasons.items():
        STORIES.get(name, STORIES[OTHER]).add(number)


def adjusted(before: int | None, after: int | None, least: int, most: int) -> None:
    """Count the change of a feed's `poll_minutes`, and whether it is at a limit."""
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
    """Count a scheduler's query and the feeds that it claimed.

    `waiting`: some ready feeds were above a limit.
    """
    HUNTER["find_work"].add()
    if claimed:
        HUNTER["refill"].add()
        HUNTER["get_ready"].add(claimed)
    elif waiting:
        HUNTER["stalled"].add()
