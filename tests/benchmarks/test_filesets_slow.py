"""The benchmark of the filesets family, with few datasets."""

from pathlib import Path

from benchmarks.filesets import generated, table


def test_datasets_are_archived_and_the_parts_of_their_cost_are_named(tmp_path: Path) -> None:
    row = generated(tmp_path, 2, 3)
    assert row["cpu_seconds"] >= row["found"] > 0
    assert row["peak_megabytes"] > 1
    assert len([*tmp_path.glob("*/*/*_sha256.txt")]) == 2
    assert table({"2 datasets": row}).row_count == 1
