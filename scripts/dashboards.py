"""Grafana's dashboards, as tables: `python -m scripts.dashboards` writes operations/dashboards/.

The queries are Prometheus'; docs/operations/metrics.md lists the metrics.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "operations" / "dashboards"

SCHEMA = 39
"""The version of Grafana's dashboard model: that of Grafana 10 and 11, newer ones migrate it."""

COLUMNS, WIDTH, HEIGHT = 24, 12, 8

SOURCE = {"type": "prometheus", "uid": "${source}"}


@dataclass(frozen=True)
class Panel:
    """A graph: `lines` are pairs of a query and the text of its legend."""

    title: str
    lines: Sequence[tuple[str, str]]
    unit: str = "short"
    about: str = ""


def rate(metric: str, by: str, where: str = "") -> str:
    """How much a counter grows in an hour."""
    return f"sum by ({by}) (increase(story_indexer_{metric}_total{where}[1h]))"


def quantile(part: float, metric: str, by: str) -> str:
    """A quantile of a timer, over ten minutes."""
    buckets = f"sum by (le, {by}) (rate(story_indexer_{metric}_seconds_bucket[10m]))"
    return f"histogram_quantile({part}, {buckets})"


def gauge(metric: str, where: str = "") -> str:
    """A gauge as it is."""
    return f"story_indexer_{metric}{where}"


DASHBOARDS: dict[str, Sequence[Panel]] = {
    "pipeline": [
        Panel("Stories an hour, by step", [(rate("stories", "program"), "{{program}}")]),
        Panel(
            "Age of stories at each step, 95 of 100",
            [(quantile(0.95, "latency", "program"), "{{program}}")],
            "s",
            "Time from the first queuing to the end at the step: how fresh the index is.",
        ),
        Panel(
            "Messages that wait, by queue",
            [
                (
                    gauge("queues_ready", '{name=~".+-(in|fast|delay|delay-short|delay-long)"}'),
                    "{{name}}",
                )
            ],
        ),
        Panel("Messages in quarantine", [(gauge("queues_ready", '{name=~".+-quar"}'), "{{name}}")]),
        Panel(
            "Processing of a message, 95 of 100",
            [(quantile(0.95, "message", "program"), "{{program}}")],
            "s",
        ),
        Panel(
            "Messages by how they ended",
            [(rate("stories", "program, status"), "{{program}} {{status}}")],
        ),
        Panel("Consumers", [(gauge("queues_consumers", '{name=~".+-in"}'), "{{name}}")]),
        Panel("Memory of programs", [("process_resident_memory_bytes", "{{instance}}")], "bytes"),
        Panel(
            "CPU of programs",
            [("rate(process_cpu_seconds_total[5m])", "{{instance}}")],
            "percentunit",
        ),
        Panel("Memory of RabbitMQ", [(gauge("nodes_memory"), "{{name}}")], "bytes"),
    ],
    "sources": [
        Panel(
            "Inputs read, by result", [(rate("files", "program, status"), "{{program}} {{status}}")]
        ),
        Panel(
            "Queued stories",
            [
                (
                    rate("stories", "program", '{program=~".+-(queuer|puller)", status="queuing"}'),
                    "{{program}}",
                )
            ],
        ),
        Panel(
            "Stories that were not queued",
            [
                (
                    rate("stories", "status", '{program=~".+-(queuer|puller)", status!="queuing"}'),
                    "{{status}}",
                )
            ],
        ),
        Panel("Checks for room in the queues", [(rate("check_output", "status"), "{{status}}")]),
        Panel("Last story of the puller", [(gauge("stories_max_id"), "{{program}}")]),
        Panel(
            "Reading an input, 95 of 100",
            [(quantile(0.95, "process_file", "program"), "{{program}}")],
            "s",
        ),
        Panel(
            "Free part of the data's disk", [(gauge("data_disk_free"), "{{program}}")], "percent"
        ),
    ],
    "fetcher": [
        Panel(
            "Pages by result", [(rate("stories", "status", '{program="fetcher"}'), "{{status}}")]
        ),
        Panel(
            "Fetching a page",
            [
                (quantile(0.5, "fetch", "program"), "half of them"),
                (quantile(0.95, "fetch", "program"), "95 of 100"),
            ],
            "s",
        ),
        Panel("Visits", [(gauge("requests"), "{{status}}")]),
        Panel(
            "Sites",
            [(gauge("slots_active"), "being visited"), (gauge("slots_recent"), "remembered")],
        ),
        Panel("Messages taken in advance", [(gauge("prefetch"), "most")]),
        Panel(
            "Waiting for a site's turn",
            [(quantile(0.95, "get_delay", "program"), "95 of 100")],
            "s",
        ),
    ],
    "index": [
        Panel(
            "Stories by result of the import",
            [(rate("stories", "status", '{program="importer"}'), "{{status}}")],
        ),
        Panel("Documents", [(gauge("indices_all_docs_count"), "documents")]),
        Panel("Size", [(gauge("indices_all_store_size_in_bytes"), "all indices")], "bytes"),
        Panel("Health of indices", [(gauge("indices_health"), "{{color}}")]),
        Panel(
            "Pending changes of the cluster",
            [(gauge("cluster_health_pending_tasks_pending_tasks"), "tasks")],
        ),
        Panel("Heap in use", [(gauge("node_jvm_mem_heap_used_percent"), "{{name}}")], "percent"),
        Panel("Load, 15 minutes", [(gauge("node_os_cpu_load_average_15m"), "{{name}}")]),
        Panel(
            "A search, on average",
            [
                (
                    "rate(story_indexer_indices_all_search_query_time_in_millis[5m])"
                    " / rate(story_indexer_indices_all_search_query_total[5m])",
                    "search",
                )
            ],
            "ms",
        ),
        Panel(
            "Stories without a field",
            [
                (
                    f"sum(increase(story_indexer_field_check_missing_{field}_total[1h]))",
                    field,
                )
                for field in ("article_title", "language", "publication_date", "text_content")
            ],
        ),
        Panel(
            "Age of the last snapshot",
            [(gauge("snapshot_time_since_last_start"), "{{state}}")],
            "ms",
        ),
    ],
    "archive": [
        Panel("Archives by result of their upload", [(rate("batches", "status"), "{{status}}")]),
        Panel("An upload, 95 of 100", [(quantile(0.95, "upload", "store"), "{{store}}")], "s"),
        Panel(
            "Stories by result", [(rate("stories", "status", '{program="archiver"}'), "{{status}}")]
        ),
        Panel(
            "The end of a batch, 95 of 100",
            [(quantile(0.95, "batch", "program"), "{{program}}")],
            "s",
        ),
        Panel(
            "Stories that wait",
            [
                (gauge("queues_ready", '{name="archiver-in"}'), "ready"),
                (gauge("queues_unacked", '{name="archiver-in"}'), "in a batch"),
            ],
        ),
        Panel(
            "Free part of the data's disk", [(gauge("data_disk_free"), "{{program}}")], "percent"
        ),
    ],
    "feeds": [
        Panel("Attempts by result", [(rate("feeds", "stat"), "{{stat}}")]),
        Panel(
            "New stories an hour",
            [("sum(increase(story_indexer_stories_stat_ok_total[1h]))", "new")],
        ),
        Panel("Feeds polled in a day, by status", [(gauge("feeds_recent"), "{{status}}")]),
        Panel("Time since feeds became due", [(gauge("ready_age"), "{{quantile}}")], "s"),
        Panel(
            "Time from a story's date to its discovery",
            [(gauge("discovery_delay"), "{{quantile}}")],
            "s",
        ),
        Panel(
            "Feeds",
            [
                (gauge("db_ready"), "due"),
                (gauge("db_running"), "leased"),
                (gauge("feeds_silent"), "silent"),
            ],
        ),
        Panel("Changes of intervals", [(rate("adjust", "stat"), "{{stat}}")]),
        Panel(
            "Threads of fetchers",
            [(gauge("workers_active"), "busy"), (gauge("workers_current"), "all")],
        ),
        Panel(
            "Saving attempts, 95 of 100",
            [(quantile(0.95, "story_save", "program"), "{{program}}")],
            "s",
        ),
        Panel(
            "Requests to the API",
            [(rate("api_requests", "method, status"), "{{method}} {{status}}")],
        ),
    ],
}
"""Dashboards by name."""


def model(name: str, panels: Sequence[Panel]) -> dict[str, Any]:
    """A dashboard in Grafana's JSON model."""
    return {
        "uid": f"story-indexer-{name}",
        "title": f"story-indexer: {name}",
        "tags": ["story-indexer"],
        "schemaVersion": SCHEMA,
        "timezone": "utc",
        "refresh": "1m",
        "time": {"from": "now-24h", "to": "now"},
        "editable": True,
        "templating": {
            "list": [
                {"name": "source", "type": "datasource", "query": "prometheus", "label": "Source"}
            ]
        },
        "panels": [_panel(number, panel) for number, panel in enumerate(panels)],
    }


def _panel(number: int, panel: Panel) -> dict[str, Any]:
    row, column = divmod(number * WIDTH, COLUMNS)
    return {
        "id": number + 1,
        "type": "timeseries",
        "title": panel.title,
        "description": panel.about,
        "datasource": SOURCE,
        "gridPos": {"x": column, "y": row * HEIGHT, "w": WIDTH, "h": HEIGHT},
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}},
        "targets": [
            {"refId": chr(ord("A") + at), "datasource": SOURCE, "expr": query, "legendFormat": text}
            for at, (query, text) in enumerate(panel.lines)
        ],
    }


def queries() -> Iterator[str]:
    """The queries of all panels."""
    for panels in DASHBOARDS.values():
        for panel in panels:
            yield from (query for query, _ in panel.lines)


def text(name: str) -> str:
    """The file of a dashboard."""
    return json.dumps(model(name, DASHBOARDS[name]), indent=1) + "\n"


def main() -> None:
    """Write all dashboards."""
    for name in DASHBOARDS:
        (FOLDER / f"{name}.json").write_text(text(name), encoding="utf-8")


if __name__ == "__main__":
    main()
