"""Tests of what a number of stories a day needs."""

import pytest

from benchmarks.capacity import BUSY, DAILY, need, rows
from benchmarks.pipeline import STEPS
from tests.paths import ROOT

COSTS = {"rss-queuer": 0.0001, "fetcher": 0.001, "parser": 0.005, "importer": 0.001, "archiver": 0}


def test_the_cores_are_those_of_the_rate_and_the_cost_of_a_story() -> None:
    found = need(86_400, COSTS, page_bytes=30_000)
    assert found.stories == 1
    assert found.messages == 4
    assert found.page_bytes == 30_000
    assert found.cores["parser"] == pytest.approx(0.005 / BUSY)
    assert found.bottleneck == "parser"


def test_the_table_has_a_row_for_each_program_and_a_column_for_each_rate() -> None:
    found = rows([need(daily, COSTS, 30_000) for daily in DAILY], COSTS)
    assert [row[0].partition(",")[0] for row in found][: len(STEPS)] == list(STEPS)
    assert found[2] == ["parser, 5.00 CPU ms a story", "0.10 cores", "10 cores"]
    assert found[-1] == ["most cores", "parser", "parser"]


def test_the_page_has_a_place_for_the_table() -> None:
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    assert page.count("<!-- capacity -->\n") == page.count("<!-- end of capacity -->\n") == 1
