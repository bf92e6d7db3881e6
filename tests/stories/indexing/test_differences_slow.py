"""Reports of many stories."""

import tracemalloc
from pathlib import Path

from indexer.stories.indexing.differences import summarize
from tests.stories.indexing.test_differences import a_difference, written


def test_a_report_of_many_stories_takes_little_memory(tmp_path: Path) -> None:
    found = (a_difference(f"{number:064}", "language", "x" * 150) for number in range(20_000))
    written(tmp_path, *found)
    tracemalloc.start()
    try:
        assert summarize([tmp_path]).stories == 20_000
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()
