"""Two weeks of log files."""

from pathlib import Path

from indexer.operations.hourly_file import KEPT, HourlyFile
from tests.clock import Clock
from tests.operations.test_hourly_file import names


def test_two_weeks_are_kept_and_nothing_else_is_touched(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "messages.log.gz").touch()
    (tmp_path / "messages.log.2020-01-01_00.note").touch()
    file = HourlyFile(tmp_path, clock.time)
    for _ in range(KEPT + 3):
        file.write("x")
        clock.sleep(3600)
    file.write("x")
    file.close()
    kept = names(tmp_path)
    assert len(kept) == 336 + 1 + 2
    assert "messages.log.2026-01-15_14" not in kept
    assert "messages.log.2026-01-15_15" in kept
    assert {"messages.log.gz", "messages.log.2020-01-01_00.note"} <= set(kept)
