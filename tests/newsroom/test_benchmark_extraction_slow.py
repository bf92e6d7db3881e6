"""The benchmark of extraction, on a few labelled pages."""

import json
from itertools import islice
from pathlib import Path

from benchmarks.extraction import EXTRACTORS, figures, measure
from newsroom.labelled.pages import labelled_pages


def test_both_extractors_are_measured_on_each_page(tmp_path: Path) -> None:
    pages = list(islice(labelled_pages(), 2))
    for page in pages:
        (tmp_path / page.truth["file"]).write_bytes(page.html)
    lines = [json.dumps(page.truth) for page in pages]
    (tmp_path / "truth.jsonl").write_text("\n".join(lines), encoding="utf-8")
    rows = figures(measure(tmp_path, rounds=1))
    assert list(rows) == list(EXTRACTORS)
    for row in rows.values():
        assert row["median_ms"] > 0
        assert row["f1"] == row["f1 wordpress_classic"] > 0.9
