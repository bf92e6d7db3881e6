"""The metric of outcomes, whose name dashboards of the older families read."""

import re

from tests.sources import sources

PROGRAM = re.compile(
    r"^class \w+\((?:Worker|BatchWorker|JobWorker|Producer|Queuer)\[", re.MULTILINE
)


def test_stories_feeds_and_pipeview_keep_the_name_that_dashboards_read() -> None:
    families = ("workers.stories.", "workers.feeds.", "workers.pipeview.")
    programs = [each for each in sources() if each.name.startswith(families)]
    counting = [each for each in programs if PROGRAM.search(each.text)]
    assert len(counting) >= 15
    assert [each.name for each in counting if "    counted_as = STORIES\n" not in each.text] == []
