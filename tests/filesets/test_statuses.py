"""Statuses: three levels of success are hits, all names are slugs."""

import re

from indexer.filesets.statuses import STATUSES


def test_only_successes_are_hits() -> None:
    hits = {name for name, status in STATUSES.items() if status.is_hit}
    assert hits == {"success", "success-existing", "success-file", "success-partial"}


def test_names_are_slugs_and_meanings_are_one_line() -> None:
    for name, status in STATUSES.items():
        assert re.fullmatch("[a-z0-9-]+", name)
        assert status.meaning
        assert "\n" not in status.meaning
