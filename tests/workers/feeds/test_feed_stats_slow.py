"""feed-stats, as a process."""

from pathlib import Path

from tests.patience import PATIENCE
from tests.workers import programs
from tests.workers.feeds.test_feed_stats import check_numbers, one_that_works


def test_it_prints_the_numbers_of_one_look(tmp_path: Path) -> None:
    one_that_works(tmp_path)
    process = programs.start("feeds.feed_stats", "--json", DATAROOT=str(tmp_path))
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    check_numbers(out, err)
