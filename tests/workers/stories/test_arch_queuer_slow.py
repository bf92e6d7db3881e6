"""Large archives."""

import tracemalloc
from pathlib import Path

from indexer.stories.story import RawHTML, Story
from tests.stories.archived import a_story, archive
from workers.stories.arch_queuer import ArchQueuer, ArchQueuerOptions


def test_a_large_archive_takes_no_more_memory_than_its_largest_story(tmp_path: Path) -> None:
    page = RawHTML(html=b"<p>page</p>" * 20_000)
    story = a_story(1)
    story.raw_html = page
    path = tmp_path / "a.warc.gz"
    path.write_bytes(archive([story] * 200))
    queuer = ArchQueuer(
        ArchQueuerOptions.chosen({"inputs": [str(path)], "data": tmp_path / "data"})
    )
    items = queuer.produce()
    next(items)
    tracemalloc.start()
    try:
        count = sum(isinstance(item, Story) for item in items)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        queuer.close()
    assert count == 199
    assert peak < 20 * len(page.html or b"")
