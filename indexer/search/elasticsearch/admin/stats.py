"""Elasticsearch's statistics as the gauges of stories.md 8.

Totals (documents indexed, garbage collections) count from the start of a node or shard. Only
primary shards are counted; indices whose names begin with a dot are the server's own.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from indexer.metrics import Gauge, gauge

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

    from indexer.search.elasticsearch.admin.snapshots import IndexSnapshot


COLORS = ("green", "yellow", "red")

NEVER_MILLIS = 30 * 86_400_000
"""The reported age of the last snapshot if there is none."""

NEWEST_SNAPSHOTS = 50
"""Snapshots that are examined. As ten successful ones are kept, fifty failed ones in a row mean
that there is no success."""


def _gauges(prefix: str, fields: Mapping[str, str], *labels: str) -> dict[str, Gauge]:
    """Declare a gauge for each field of an answer; `fields` describes each by its path."""
    return {field: gauge(f"{prefix}.{field}", about, *labels) for field, about in fields.items()}


_INDEX_FIELDS = {
    "docs.count": "documents",
    "docs.deleted": "deleted documents that still use disk space",
    "store.size_in_bytes": "bytes on disk",
    "indexing.index_total": "documents indexed",
    "indexing.index_time_in_millis": "time spent on indexing",
    "indexing.index_failed": "documents that could not be indexed",
    "indexing.delete_total": "documents deleted",
    "get.total": "documents fetched by id",
    "get.time_in_millis": "time spent on fetching by id",
    "search.query_total": "searches",
    "search.query_time_in_millis": "time spent on searching",
    "search.fetch_total": "fetches of the documents that searches found",
    "search.fetch_time_in_millis": "time spent on fetches after searches",
    "search.open_contexts": "running searches and open points in time",
    "merges.total": "merges of segments",
    "merges.total_time_in_millis": "time spent on merging",
    "refresh.total": "refreshes",
    "refresh.total_time_in_millis": "time spent on refreshing",
    "flush.total": "flushes",
    "flush.total_time_in_millis": "time spent on flushing",
    "segments.count": "segments",
}
_SECTIONS = "docs,store,indexing,get,search,merge,refresh,flush,segments"
"""The sections of the index statistics that contain these fields."""

ALL_INDICES = _gauges("indices.all", _INDEX_FIELDS)
EACH_INDEX = _gauges("indices.indices", _INDEX_FIELDS, "name")
INDEX_COLORS = gauge("indices.health", "indices with a health color", "color")

_LOAD = "os.cpu.load_average"
NODE = _gauges(
    "node",
    {
        "jvm.mem.heap_used_percent": "heap in use",
        "http.current_open": "open HTTP connections",
        "http.total_opened": "HTTP connections opened since the start",
        "os.cpu.percent": "CPU of the machine in use",
        f"{_LOAD}.1m": "load of the machine, over a minute",
        f"{_LOAD}.5m": "load of the machine, over five minutes",
        f"{_LOAD}.15m": "load of the machine, over fifteen minutes",
    },
    "name",
)
_CAT_COLUMNS = {
    "heap.percent": "jvm.mem.heap_used_percent",
    "ram.percent": "os.mem.used_percent",
    "cpu": "os.cpu.percent",
    "load_1m": f"{_LOAD}.1m",
    "load_5m": f"{_LOAD}.5m",
    "load_15m": f"{_LOAD}.15m",
}
CAT_NODES = {
    field: gauge(f"cat.nodes.{column}", f"older name of node.{field}", "name")
    for column, field in _CAT_COLUMNS.items()
}
COLLECTIONS = _gauges(
    "node.jvm.gc",
    {
        "collection_count": "garbage collections",
        "collection_time_in_millis": "time spent on garbage collections",
    },
    "collector",
    "name",
)
THREAD_POOLS = _gauges(
    "node.thread_pool",
    {
        "queue": "waiting tasks",
        "active": "running tasks",
        "rejected": "tasks rejected since the start",
        "completed": "tasks completed since the start",
    },
    "name",
    "pool",
)
BREAKERS = gauge("node.breakers.tripped", "requests refused for lack of memory", "breaker", "name")

CLUSTER_COLORS = gauge("cluster.health.status", "1 for the color of the cluster", "color")
SHARDS = gauge("cluster.health.shards", "shards in a state", "status")
_PENDING_NAMES = {
    "number_of_pending_tasks": "pending_tasks",
    "task_max_waiting_in_queue_millis": "task_max_wait_millis",
    "active_shards_percent_as_number": "active_shards_pct",
    "number_of_in_flight_fetch": "inflight_fetch",
}
PENDING = {
    field: gauge(f"cluster.health.pending_tasks.{name}", f"of the cluster: {field}")
    for field, name in _PENDING_NAMES.items()
}

LAST_SNAPSHOT = gauge(
    "snapshot.last", "1 if the last snapshot ended in this state, else 0", "state"
)
SINCE_SNAPSHOT = gauge(
    "snapshot.time_since_last_start",
    "milliseconds since the start of the last snapshot that ended in this state; 30 days if none",
    "state",
)


def report(client: "Elasticsearch", repository: str, now: float) -> None:
    """Query the server and set the gauges. `now` is in seconds since the epoch.

    `repository` has the snapshots; empty: all repositories. Raises ApiError, TransportError.
    """
    report_cluster(client.cluster.health(level="indices").body)
    report_indices(client.indices.stats(metric=_SECTIONS).body["indices"])
    sections = "jvm,http,thread_pool,breaker,os"
    nodes = client.nodes.stats(metric=sections, filter_path="-nodes.*.http.clients")
    report_nodes(nodes.body["nodes"])
    report_snapshots(_snapshots(client, repository or "_all"), now)


def _snapshots(client: "Elasticsearch", repository: str) -> "Sequence[IndexSnapshot]":
    """Return the newest snapshots; none if the repository is missing, which needs an alert too."""
    from elasticsearch import NotFoundError  # noqa: PLC0415 - metrics are declared without it

    from indexer.search.elasticsearch.admin.snapshots import listed  # noqa: PLC0415

    try:
        return listed(client, repository, NEWEST_SNAPSHOTS)
    except NotFoundError:
        return []


def report_cluster(health: Mapping[str, Any]) -> None:
    """Set the gauges of the cluster's health, at the level of indices."""
    for color in COLORS:
        CLUSTER_COLORS.set(float(color == health["status"]), color=color)
    for field, value in health.items():
        if field.endswith("_shards"):
            SHARDS.set(value, status=field.removesuffix("_shards"))
        elif field in PENDING:
            PENDING[field].set(value)
    indices = health.get("indices", {})
    colors = Counter(index["status"] for name, index in indices.items() if _is_ours(name))
    for color in COLORS:
        INDEX_COLORS.set(colors[color], color=color)


def report_indices(indices: Mapping[str, Any]) -> None:
    """Set the gauges of the indices' statistics."""
    totals = dict.fromkeys(ALL_INDICES, 0.0)
    for name, index in indices.items():
        if not _is_ours(name):
            continue
        for field, value in _numbers(index.get("primaries", {}), _INDEX_FIELDS):
            EACH_INDEX[field].set(value, name=name)
            totals[field] += value
    for field, metric in ALL_INDICES.items():
        metric.set(totals[field])


def report_nodes(nodes: Mapping[str, Any]) -> None:
    """Set the gauges of the nodes' statistics."""
    for id, node in nodes.items():
        name = str(node.get("name", id))
        _set(NODE, node, name=name)
        _set(CAT_NODES, node, name=name)
        for kind, collector in node.get("jvm", {}).get("gc", {}).get("collectors", {}).items():
            _set(COLLECTIONS, collector, collector=kind, name=name)
        for pool, counts in node.get("thread_pool", {}).items():
            # A node has dozens of pools that are never used.
            if any(counts.get(field) for field in THREAD_POOLS):
                _set(THREAD_POOLS, counts, name=name, pool=pool)
        for breaker, counts in node.get("breakers", {}).items():
            BREAKERS.set(counts.get("tripped", 0), breaker=breaker, name=name)


def report_snapshots(snapshots: "Iterable[IndexSnapshot]", now: float) -> None:
    """Set the gauges of a repository's snapshots; `now` is in seconds since the epoch."""
    # A running snapshot is neither a success nor a failure yet.
    ended = sorted(
        (one for one in snapshots if one.state != "IN_PROGRESS"), key=lambda one: one.start
    )
    good = [one for one in ended if one.state == "SUCCESS"]
    is_good = bool(good) and ended[-1] is good[-1]
    age = max(0.0, now * 1000 - good[-1].start) if good else NEVER_MILLIS
    LAST_SNAPSHOT.set(float(is_good), state="success")
    SINCE_SNAPSHOT.set(age, state="success")


def _set(gauges: Mapping[str, Gauge], tree: Mapping[str, Any], **labels: str) -> None:
    for field, value in _numbers(tree, gauges):
        gauges[field].set(value, **labels)


def _numbers(tree: Mapping[str, Any], fields: Iterable[str]) -> Iterator[tuple[str, float]]:
    """Yield the fields, given as paths, that have a numeric value."""
    for field in fields:
        found: Any = tree
        for part in field.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
        if isinstance(found, int | float):
            yield field, found


def _is_ours(index: str) -> bool:
    return not index.startswith(".")
