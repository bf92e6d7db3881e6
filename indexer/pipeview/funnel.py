"""The funnel: what became of stories at each step, in the order of the flow."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from indexer.loops.breadcrumbs import REQUEUE_PREFIX, RETRY_PREFIX

COLUMNS = ("app", "status")
"""What a funnel is made of: the sums of these."""

FLOW = (
    "rss-puller",
    "rss-queuer",
    "csv-queuer",
    "hist-queuer",
    "arch-queuer",
    "hist-fetcher",
    "fetcher",
    "parser",
    "importer",
    "archiver",
)
"""The order in which stories come by; others follow, by name."""


@dataclass(slots=True)
class Stage:
    """What became of stories at one step.

    `stories` counts those that it was done with, by `statuses`, the most frequent first; `retries`
    and `requeues` how often one went back, also by status.
    """

    app: str
    stories: int = 0
    statuses: dict[str, int] = field(default_factory=dict)
    retries: dict[str, int] = field(default_factory=dict)
    requeues: dict[str, int] = field(default_factory=dict)

    def count(self, status: str, stories: int) -> None:
        """Add what a status counts."""
        if status.startswith(RETRY_PREFIX):
            self.retries[status.removeprefix(RETRY_PREFIX)] = stories
        elif status.startswith(REQUEUE_PREFIX):
            self.requeues[status.removeprefix(REQUEUE_PREFIX)] = stories
        else:
            self.statuses[status] = stories
            self.stories += stories


def funnel(sums: Iterable[Mapping[str, Any]]) -> list[Stage]:
    """The stages, of the sums by app and status."""
    stages: dict[str, Stage] = {}
    for row in sorted(sums, key=lambda row: (-row["stories"], row["status"])):
        stage = stages.setdefault(row["app"], Stage(row["app"]))
        stage.count(row["status"], row["stories"])
    return sorted(stages.values(), key=lambda stage: (_place(stage.app), stage.app))


def _place(app: str) -> int:
    return FLOW.index(app) if app in FLOW else len(FLOW)
