"""The benchmark of indexing: a second run writes nothing."""

import pytest

from benchmarks.software import indexing


def test_a_second_run_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    indexing.main(["--origins", "400"])
    heads, first, second = capsys.readouterr().out.splitlines()
    assert "HEAD 400" in heads
    assert "indexed" in first
    assert "rows written" in first
    assert "unchanged" in second
    assert "rows written" not in second
