"""Grafana's dashboards: made of tables, in Grafana's model, of metrics that exist."""

import json
import re
from typing import Any

from scripts.dashboards import COLUMNS, DASHBOARDS, FOLDER, queries, text
from tests.each_row import each_row
from tests.metrics.documentation import written
from tests.paths import ROOT

SHOWN = set(re.findall(r"`(story_indexer_\w+)`", written()))
OF_CLIENT = {"process_resident_memory_bytes", "process_cpu_seconds_total"}
"""Metrics of every process, by prometheus_client."""


@each_row("name", [*DASHBOARDS])
def test_a_dashboard_is_what_its_table_makes(name: str) -> None:
    written_to = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    assert written_to == text(name), "python -m scripts.dashboards"


def test_there_is_no_other_dashboard() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == {*DASHBOARDS}


@each_row("query", [*queries()])
def test_every_metric_of_a_query_is_measured(query: str) -> None:
    used = set(re.findall(r"\b(?:story_indexer|process)_\w+", query))
    assert used
    assert {name.removesuffix("_bucket") for name in used} <= SHOWN | OF_CLIENT
    assert query.count("(") == query.count(")")


@each_row("name", [*DASHBOARDS])
def test_a_dashboard_has_what_grafana_needs(name: str) -> None:
    board: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert board["uid"] == f"story-indexer-{name}"
    assert len(board["uid"]) <= 40, "Grafana's limit"
    assert board["templating"]["list"][0]["type"] == "datasource"
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    taken = set()
    for panel in board["panels"]:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= COLUMNS
        assert (place["x"], place["y"]) not in taken
        taken.add((place["x"], place["y"]))
        assert panel["type"] == "timeseries"
        assert panel["fieldConfig"]["defaults"]["unit"]
        for target in panel["targets"]:
            assert target["expr"]
            assert target["datasource"]["uid"] == "${source}"


def test_a_stack_mounts_every_dashboard() -> None:
    stack = (ROOT / "docker" / "stack.yml").read_text(encoding="utf-8")
    assert [name for name in DASHBOARDS if f"operations/dashboards/{name}.json" not in stack] == []
