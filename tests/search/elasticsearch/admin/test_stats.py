"""Elasticsearch's statistics: with recorded answers, and of the real server."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import pytest
from elasticsearch import Elasticsearch

from indexer.metrics import attached, declared
from indexer.metrics.snapshot import Snapshot as Seen
from indexer.search.elasticsearch.admin.snapshots import IndexSnapshot
from indexer.search.elasticsearch.admin.stats import (
    NEVER_MILLIS,
    report,
    report_cluster,
    report_indices,
    report_nodes,
    report_snapshots,
)
from tests.each_row import each_row
from tests.search.stub import Reply, Stub

DAY = 86_400_000

HEALTH = {
    "cluster_name": "mc",
    "status": "yellow",
    "timed_out": False,
    "number_of_nodes": 8,
    "active_primary_shards": 12,
    "active_shards": 23,
    "relocating_shards": 1,
    "initializing_shards": 0,
    "unassigned_shards": 1,
    "delayed_unassigned_shards": 0,
    "number_of_pending_tasks": 3,
    "number_of_in_flight_fetch": 2,
    "task_max_waiting_in_queue_millis": 1500,
    "active_shards_percent_as_number": 95.8,
    "indices": {
        "mc_search-000001": {"status": "green"},
        "mc_search-000002": {"status": "yellow"},
        "mc_search-000003": {"status": "green"},
        ".security-7": {"status": "red"},
    },
}
INDICES = {
    "mc_search-000001": {
        "primaries": {
            "docs": {"count": 200, "deleted": 1},
            "store": {"size_in_bytes": 9000},
            "search": {"query_total": 7, "query_time_in_millis": 30},
        },
        "total": {"docs": {"count": 400}},
    },
    "mc_search-000002": {"primaries": {"docs": {"count": 50, "deleted": 0}}},
    ".security-7": {"primaries": {"docs": {"count": 10**6}}},
    "closed": {},
}
NODES = {
    "x4viy": {
        "name": "ramos",
        "jvm": {
            "mem": {"heap_used_percent": 41},
            "gc": {
                "collectors": {"young": {"collection_count": 9, "collection_time_in_millis": 80}}
            },
        },
        "os": {
            "cpu": {"percent": 17, "load_average": {"1m": 15.5, "5m": 3.25}},
            "mem": {"used_percent": 88},
        },
        "http": {"current_open": 4, "total_opened": 400},
        "thread_pool": {
            "write": {"threads": 2, "queue": 5, "active": 2, "rejected": 1, "completed": 99},
            "watcher": {"threads": 0, "queue": 0, "active": 0, "rejected": 0, "completed": 0},
        },
        "breakers": {"parent": {"tripped": 6, "estimated_size": "1gb"}},
    },
    "silent": {"name": "woodward"},
}


def said(set_gauges: Callable[..., None], *answers: object) -> dict[str, float]:
    """Return the values that answers set, by their statsd names."""
    seen = Seen()
    with attached(seen):
        set_gauges(*answers)
    return {
        ".".join([row["name"], *(f"{name}_{value}" for name, value in row["labels"].items())]): row[
            "value"
        ]
        for row in seen.rows()
    }


def test_the_cluster_s_color_is_a_1_among_zeros() -> None:
    numbers = said(report_cluster, HEALTH)
    assert {name: value for name, value in numbers.items() if "health.status" in name} == {
        "cluster.health.status.color_green": 0,
        "cluster.health.status.color_yellow": 1,
        "cluster.health.status.color_red": 0,
    }


def test_shards_have_gauges_by_state_and_tasks_those_of_the_dashboards() -> None:
    numbers = said(report_cluster, HEALTH)
    wanted = {
        "cluster.health.shards.status_active": 23,
        "cluster.health.shards.status_active_primary": 12,
        "cluster.health.shards.status_relocating": 1,
        "cluster.health.shards.status_initializing": 0,
        "cluster.health.shards.status_unassigned": 1,
        "cluster.health.shards.status_delayed_unassigned": 0,
        "cluster.health.pending_tasks.pending_tasks": 3,
        "cluster.health.pending_tasks.task_max_wait_millis": 1500,
        "cluster.health.pending_tasks.active_shards_pct": 95.8,
        "cluster.health.pending_tasks.inflight_fetch": 2,
    }
    assert {name: numbers.get(name) for name in wanted} == wanted


def test_indices_are_counted_by_color_without_the_server_s_own() -> None:
    numbers = said(report_cluster, HEALTH)
    assert [numbers[f"indices.health.color_{color}"] for color in ("green", "yellow", "red")] == [
        2,
        1,
        0,
    ]


def test_primaries_are_reported_for_each_index_and_for_all() -> None:
    numbers = said(report_indices, INDICES)
    wanted = {
        "indices.all.docs.count": 250,
        "indices.all.docs.deleted": 1,
        "indices.all.search.query_time_in_millis": 30,
        "indices.all.indexing.index_total": 0,
        "indices.indices.docs.count.name_mc_search-000001": 200,
        "indices.indices.store.size_in_bytes.name_mc_search-000001": 9000,
        "indices.indices.docs.count.name_mc_search-000002": 50,
    }
    assert {name: numbers.get(name) for name in wanted} == wanted
    assert not [name for name in numbers if "security" in name or "closed" in name]


def test_nodes_have_new_and_older_gauges() -> None:
    assert said(report_nodes, NODES) == {
        "node.jvm.mem.heap_used_percent.name_ramos": 41,
        "node.http.current_open.name_ramos": 4,
        "node.http.total_opened.name_ramos": 400,
        "node.os.cpu.percent.name_ramos": 17,
        "node.os.cpu.load_average.1m.name_ramos": 15.5,
        "node.os.cpu.load_average.5m.name_ramos": 3.25,
        "cat.nodes.heap.percent.name_ramos": 41,
        "cat.nodes.ram.percent.name_ramos": 88,
        "cat.nodes.cpu.name_ramos": 17,
        "cat.nodes.load_1m.name_ramos": 15.5,
        "cat.nodes.load_5m.name_ramos": 3.25,
        "node.jvm.gc.collection_count.collector_young.name_ramos": 9,
        "node.jvm.gc.collection_time_in_millis.collector_young.name_ramos": 80,
        "node.thread_pool.queue.name_ramos.pool_write": 5,
        "node.thread_pool.active.name_ramos.pool_write": 2,
        "node.thread_pool.rejected.name_ramos.pool_write": 1,
        "node.thread_pool.completed.name_ramos.pool_write": 99,
        "node.breakers.tripped.breaker_parent.name_ramos": 6,
    }


@each_row(
    ("states", "last", "age"),
    [
        ([], 0, NEVER_MILLIS),
        (["FAILED"], 0, NEVER_MILLIS),
        (["SUCCESS"], 1, 17 * DAY),
        (["SUCCESS", "FAILED"], 0, 17 * DAY),
        (["FAILED", "SUCCESS"], 1, 16 * DAY),
        (["SUCCESS", "IN_PROGRESS"], 1, 17 * DAY),
        (["SUCCESS", "PARTIAL", "IN_PROGRESS"], 0, 17 * DAY),
    ],
)
def test_the_last_snapshot_and_the_age_of_the_last_success(
    states: list[str], last: int, age: int
) -> None:
    """The first one was 17 days ago, the next ones a day later each."""
    snapshots = [IndexSnapshot(str(at), state, (3 + at) * DAY) for at, state in enumerate(states)]
    assert said(report_snapshots, reversed(snapshots), 20 * 86_400) == {
        "snapshot.last.state_success": last,
        "snapshot.time_since_last_start.state_success": age,
    }


def ask(stub: Stub) -> list[str]:
    """Return the names of the gauges that a stub's answers set."""
    seen = Seen()
    with attached(seen):
        report(stub.client(), "backups", now=0)
    return [row["name"] for row in seen.rows()]


ANSWERS: list[Reply] = [(200, HEALTH), (200, {"indices": INDICES}), (200, {"nodes": NODES})]


def test_a_missing_repository_is_reported_like_one_without_snapshots() -> None:
    missing: Reply = (404, {"error": {"type": "repository_missing_exception"}})
    assert "snapshot.time_since_last_start" in ask(Stub(*ANSWERS, missing))


def test_everything_is_asked_in_four_requests() -> None:
    stub = Stub(*ANSWERS, (200, {"snapshots": []}))
    ask(stub)
    assert [request.split("?")[0] for request, _ in stub.requests] == [
        "GET /_cluster/health",
        "GET /_stats/docs,store,indexing,get,search,merge,refresh,flush,segments",
        "GET /_nodes/stats/jvm,http,thread_pool,breaker,os",
        "GET /_snapshot/backups/*",
    ]
    asked = parse_qs(stub.requests[-1][0].partition("?")[2])
    assert (asked["size"], asked["sort"], asked["order"]) == (["50"], ["start_time"], ["desc"])


@pytest.mark.external
def test_a_real_server_has_a_number_for_every_gauge(server: Elasticsearch, alias: str) -> None:
    server.index(index=f"{alias}-1", document={"url": "x"}, refresh=True)
    seen = Seen()
    with attached(seen):
        report(server, "", now=0)
    rows: list[Any] = seen.rows()
    mine = [row for row in rows if row["labels"].get("name") == f"{alias}-1"]
    assert {"name": "indices.indices.docs.count", "value": 1} in [
        {"name": row["name"], "value": row["value"]} for row in mine
    ]
    ours = re.compile(r"(cat\.nodes|cluster\.health|indices|node|snapshot)\.")
    names = {metric.name for metric in declared() if ours.match(metric.name)}
    assert names == {row["name"] for row in rows if ours.match(row["name"])}
