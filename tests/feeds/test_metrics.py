"""The metrics of polling have the names that dashboards use (feeds.md 12)."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from indexer.feeds import metrics, statuses
from indexer.feeds.attempt import WORKING, Unchanged
from indexer.metrics import attached, declared
from indexer.metrics.snapshot import Snapshot
from indexer.metrics.statsd import Statsd, prefix_of
from tests.each_row import each_row
from tests.metrics.sinks import Heard, Wire

NOW = datetime(2026, 1, 15, 12)
PREFIX = "mc.prod.story-indexer.saver."


def sent(happens: Callable[[], object]) -> set[str]:
    """The datagrams sent to statsd."""
    wire = Wire()
    statsd = Statsd(wire, prefix_of("prod", "saver"))
    with attached(statsd):
        happens()
    statsd.flush()
    return {line.removeprefix(PREFIX) for line in wire.lines}


@each_row(
    ("status", "unchanged", "name"),
    [
        (WORKING, "", "ok"),
        (WORKING, Unchanged.SAME_HASH, "same_hash"),
        (WORKING, Unchanged.NOT_MODIFIED, "not_mod"),
        ("parse error", "", "parse_err"),
        ("HTTP 404 Not Found", "", "http_404"),
        ("HTTP 503 Service Unavailable", "", "http_5xx"),
        ("job timeout", "", "job_timeout"),
        ("caught exception", "", "exception"),
        ("unknown hostname", "", "unknown_hostname"),
    ],
)
def test_attempts_are_counted_and_timed_by_their_end(
    status: str, unchanged: str, name: str
) -> None:
    label = statuses.label(status, unchanged)
    assert sent(lambda: metrics.attempt_ended(label, 1.5)) == {
        f"feeds.stat_{name}:1|c",
        f"total.status_{name}:1500|ms",
    }


def test_items_are_counted_by_their_result() -> None:
    reasons = {"ok": 3, "dup_url": 20, "nonews": 1, "unheard-of": 2}
    assert sent(lambda: metrics.items(reasons)) == {
        "stories.stat_ok:3|c",
        "stories.stat_dup_url:20|c",
        "stories.stat_nonews:1|c",
        "stories.stat_other:2|c",
    }


@each_row(
    ("before", "after", "stats"),
    [
        (None, 360, {"no_last"}),
        (360, 300, {"down"}),
        (360, 370, {"up"}),
        (360, 360, set()),
        (20, 10, {"down", "min"}),
        (10, 10, {"min"}),
        (1435, 1440, {"up", "max"}),
        (360, None, set()),
    ],
)
def test_changes_of_intervals_are_counted(
    before: int | None, after: int | None, stats: set[str]
) -> None:
    lines = sent(lambda: metrics.adjusted(before, after, 10, 1440))
    assert lines - {""} == {f"adjust.stat_{stat}:1|c" for stat in stats}


@pytest.mark.parametrize(
    ("claimed", "waiting", "counted"),
    [
        (7, True, {"find_work": 1, "refill": 1, "get_ready": 7}),
        (0, True, {"find_work": 1, "stalled": 1}),
        (0, False, {"find_work": 1}),
    ],
)
def test_queries_of_a_scheduler_are_counted(
    claimed: int, waiting: bool, counted: dict[str, int]
) -> None:
    lines = sent(lambda: metrics.looked(claimed, waiting=waiting))
    assert lines == {f"hunter.{name}:{number}|c" for name, number in counted.items()}


@pytest.mark.parametrize(
    ("due", "seconds"),
    [(NOW - timedelta(seconds=90), [90.0]), (NOW + timedelta(seconds=5), [0.0]), (None, [])],
)
def test_the_delay_of_a_fetch_is_observed(due: datetime | None, seconds: list[float]) -> None:
    with attached(heard := Heard()):
        metrics.attempt_began(due, NOW)
    assert [value for _, value, _ in heard.numbers] == seconds


@each_row(
    ("happens", "line"),
    [
        (lambda: metrics.ON_HAND.set(5), "on_hand:5|g"),
        (lambda: metrics.WORKERS["active"].set(5), "workers.active:5|g"),
        (lambda: metrics.WORKERS["current"].set(5), "workers.current:5|g"),
        (lambda: metrics.WORKERS["n"].set(5), "workers.n:5|g"),
        (metrics.HUNTER["stale"].add, "hunter.stale:1|c"),
        (lambda: metrics.START_DELAY.observe(2), "start_delay:2000|ms"),
        (lambda: metrics.SAVE.observe(2), "story.save:2000|ms"),
        (lambda: metrics.RECENT_FEEDS.set(2, status="Working"), "feeds.recent.status_Working:2|g"),
        (lambda: metrics.READY.set(2), "db.ready:2|g"),
        (lambda: metrics.BLOCKED.set(2), "hunter.blocked:2|g"),
        (lambda: metrics.TOP_SUM.set(2), "stories.top-domain.sum:2|g"),
    ],
)
def test_metrics_have_the_names_of_dashboards(happens: Callable[[], object], line: str) -> None:
    assert sent(happens) == {line}


# feeds.md 12; those of the API and of the directory's sync are declared where they are counted.
DASHBOARDS = """
    feeds adjust hunter.refill hunter.find_work hunter.stale hunter.stalled hunter.get_ready
    start_delay total story.save db.ready db.running on_hand hunter.blocked workers.active
    workers.current workers.n feeds.recent sources.recent stories.top-domain.sum
    stories.top-domain.avg stories.max-id stories.count story-refs.count stories.stat_ok
    stories.stat_relurl stories.stat_toolong stories.stat_home stories.stat_home_query
    stories.stat_bad stories.stat_nonews stories.stat_nonurl stories.stat_dup_url
    stories.stat_dup_title stories.stat_dupurl2 stories.stat_bad2 stories.stat_tossed
""".split()  # noqa: SIM905 - words are easier to read


@each_row("name", DASHBOARDS)
def test_every_name_of_dashboards_is_declared(name: str) -> None:
    assert name in {metric.name for metric in declared()}


def test_threads_inside_the_context_are_active() -> None:
    seen = Snapshot()
    with attached(seen):
        threads = metrics.Threads(16)
        with threads.working(), threads.working():
            during = {row["name"]: row["value"] for row in seen.rows()}
        after = {row["name"]: row["value"] for row in seen.rows()}
    assert during == {"workers.active": 2, "workers.current": 16, "workers.n": 16}
    assert after["workers.active"] == 0


IN_STATSD = """
    feeds.stat_ok feeds.stat_same_hash feeds.stat_not_mod feeds.stat_parse_err feeds.stat_http_4xx
    feeds.stat_job_timeout feeds.stat_exception feeds.stat_insane feeds.stat_missing
    stories.stat_ok stories.stat_dup_url stories.stat_dup_title stories.stat_relurl
    adjust.stat_up adjust.stat_down adjust.stat_min adjust.stat_max adjust.stat_no_last
    hunter.refill hunter.find_work hunter.stale hunter.stalled hunter.get_ready
    start_delay total.status_ok story.save
    db.ready db.running on_hand hunter.blocked workers.active workers.current workers.n
    feeds.recent.status_Working sources.recent.status_Working stories.top-domain.sum
    stories.top-domain.avg stories.max-id stories.count story-refs.count
""".split()  # noqa: SIM905 - words are easier to read


def test_with_a_prefix_the_names_are_those_of_rss_fetcher() -> None:
    wire = Wire()
    statsd = Statsd(wire, prefix_of("", "feed-fetcher", "mc.prod.rss-fetcher"))
    known = {metric.name: metric for metric in declared()}
    for name in IN_STATSD:
        # A label is the part after the metric's name: `feeds.stat_ok`, `feeds.recent.status_ok`.
        metric = known.get(name) or known[name.rpartition(".")[0]]
        labels = (name.rpartition(".")[2].partition("_")[2],) * len(metric.labels)
        statsd.take(metric, 1, labels)
    statsd.flush()
    assert {line.partition(":")[0] for line in wire.lines} == {
        f"mc.prod.rss-fetcher.{name}" for name in IN_STATSD
    }
