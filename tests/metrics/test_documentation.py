"""docs/operations/metrics.md lists every metric."""

import re
from collections import Counter

from tests.each_row import each_row
from tests.metrics.documentation import END, written
from tests.paths import ROOT

ROWS = [line.split(" | ") for line in written().splitlines()[2:]]
NAMES = {row[0].strip("|` ") for row in ROWS}
SHOWN = [row[4].strip("|` ") for row in ROWS]

# stories.md 2.6, without what is obsolete, or what the page says that there is not.
DASHBOARDS = """
    stories sent-msgs check-output batches pub_date title_len story_len field_check.stories
    field_check.missing.url msgs crumbs lines.bad main_loop message batch encoding extract
    extracted-pub-date fetch-ts get_delay fetch data-disk-free stories.max-id requests prefetch
    slots.recent slots.active files process_file upload
""".split()  # noqa: SIM905 - words are easier to read


@each_row("name", DASHBOARDS)
def test_the_names_that_dashboards_read_are_there(name: str) -> None:
    assert name in NAMES


def test_no_two_metrics_have_one_name_at_prometheus() -> None:
    assert [name for name, times in Counter(SHOWN).items() if times > 1] == []
    # Nor one that Prometheus gives to a part of another.
    parts = {f"{name}{end}" for name in SHOWN for end in ("_bucket", "_sum", "_count", "_total")}
    assert parts.isdisjoint(SHOWN)


def test_names_can_be_used_in_both_outputs() -> None:
    assert [name for name in NAMES if not re.fullmatch(r"[a-zA-Z][\w.-]*\w", name)] == []


def test_no_label_has_the_name_that_every_number_has() -> None:
    assert [row[0] for row in ROWS if "`program`" in row[2]] == []


def test_the_table_has_one_end() -> None:
    page = (ROOT / "docs" / "operations" / "metrics.md").read_text(encoding="utf-8")
    assert page.count(END) == 1
