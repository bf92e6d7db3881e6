"""The stages of stories do their work on each page; how fast is not tested."""

import pytest

from benchmarks.measuring.corpus import corpus
from benchmarks.measuring.rounds import measure
from benchmarks.measuring.stage import Stage
from benchmarks.stages import opened


@pytest.mark.parametrize("name", ["messages", "importing", "archiving"])
def test_a_stage_measures_all_its_contenders(name: str) -> None:
    with opened(name)(corpus(pages=3)) as stages:
        rows = [measure(stage, rounds=1) for stage in stages if isinstance(stage, Stage)]
    assert rows
    assert all(figure > 0 for row in rows for figure in row.figures.values())
