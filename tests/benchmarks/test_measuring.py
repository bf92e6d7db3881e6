"""Tests of how stages are measured, and of the table of docs/performance.md."""

from pathlib import Path

import pytest

from benchmarks.measuring.corpus import corpus
from benchmarks.measuring.rounds import Row, measure
from benchmarks.measuring.stage import Done, Stage, Unit, Unmeasured
from benchmarks.measuring.table import as_json, cells, write
from benchmarks.stages import ORDER, names, opened
from tests.each_row import each_row
from tests.paths import ROOT


@each_row(
    ("unit", "aim", "cost", "reached", "texts"),
    [
        (Unit.MILLISECONDS, 6, 0.005, True, ("≤ 6 CPU ms each", "5", "theirs 10 (× 2)")),
        (Unit.MILLISECONDS, 4, 0.005, False, ("≤ 4 CPU ms each", "5", "theirs 10 (× 2)")),
        (Unit.RATE, 150, 0.005, True, ("≥ 150 per CPU s", "200", "theirs 100 (× 2)")),
        (Unit.RATE, 1_200, 0.001, False, ("≥ 1,200 per CPU s", "1,000", "theirs 500 (× 2)")),
    ],
)
def test_a_figure_is_the_median_of_the_rounds_and_compared_with_the_aim(
    unit: Unit, aim: float, cost: float, reached: bool, texts: tuple[str, str, str]
) -> None:
    slow_once = iter([9.0, cost, cost])
    stage = Stage(
        "a stage",
        unit,
        aim,
        {"ours": lambda: Done(4, 4 * next(slow_once)), "theirs": lambda: Done(2, 4 * cost)},
    )
    row = measure(stage, rounds=3)
    assert row.reached == reached
    name, aimed, ours, word, others = cells(row)
    assert (name, word) == ("a stage", "reached" if reached else "missed")
    assert (aimed, ours, others) == texts


def test_the_work_of_this_process_is_measured_by_its_cpu_time() -> None:
    row = measure(Stage("sums", Unit.RATE, 1, {"ours": lambda: sum(range(100)) // 50}), rounds=1)
    assert row.ours > 0


def test_the_table_of_a_page_is_replaced_and_its_text_kept(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text("# A\n\n<!-- stages -->\nold\n<!-- end of stages -->\nafter\n")
    floor = Stage("a", Unit.RATE, 2, {"ours": lambda: 1, "b": lambda: 1}, {"b": "no digests"})
    rows: list[Row | Unmeasured] = [
        Row(floor, {"ours": 1.0, "b": 2.0}),
        Unmeasured("c", "RabbitMQ was not started"),
    ]
    write(rows, page)
    text = page.read_text()
    assert "| a | ≥ 2 per CPU s | 1 | missed | b 2 (× 0.5; a floor: no digests) |\n" in text
    assert "| c |  |  | not measured | RabbitMQ was not started |\n" in text
    assert text.startswith("# A\n\n<!-- stages -->\n\n| stage |")
    assert text.endswith("\n\n<!-- end of stages -->\nafter\n")
    assert [row["stage"] for row in as_json(rows)] == ["a", "c"]


def test_pages_are_those_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>a")
    (tmp_path / "notes.txt").write_text("no page")
    assert [page.html for page in corpus(tmp_path)] == [b"<p>a"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(SystemExit, match="has no pages"):
        corpus(tmp_path / "empty")


def test_each_stage_has_its_place_in_the_table() -> None:
    assert set(names()) <= set(ORDER)
    assert all(callable(opened(name)) for name in names())


def test_the_page_has_a_place_for_the_table() -> None:
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    assert page.count("<!-- stages -->\n") == page.count("<!-- end of stages -->\n") == 1
