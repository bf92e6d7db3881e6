"""The funnel: the results of the stories at each step, in the order of the flow."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from indexer.loops.breadcrumbs import REQUEUE_PREFIX, RETRY_PREFIX

COLUMNS = ("app", "status")
"""The columns whose sums make a funnel."""


@dataclass(slots=True)
class Stage:
    """The results of the stories at one step.

    `stories` is the number of finished stories; `statuses` counts them, the most frequent first.
    `retries` and `requeues` count returns to the queue, by status.
    """

    app: str
    stories: int = 0
    statuses: dict[str, int] = field(default_factory=dict)
    retries: dict[str, int] = field(default_factory=dict)
    requeues: dict[str, int] = field(default_factory=dict)

    def count(self, status: str, stories: int) -> None:
        """Add the count of a status."""
        if status.startswith(RETRY_PREFIX):
            self.retries[status.removeprefix(RETRY_PREFIX)] = stories
        elif status.startswith(REQUEUE_PREFIX):
            self.requeues[status.removeprefix(REQUEUE_PREFIX)] = stories
        else:
            self.statuses[status] = stories
            self.stories += stories


def funnel(sums: Iterable[Mapping[str, Any]], flow: Sequence[str] = ()) -> list[Stage]:
    """Convert sums by app and status to stages in the order of `flow`, which has names of steps.

    Other steps follow, sorted by name.
    """
    places = {name: place for place, name in enumerate(flow)}
    stages: dict[str, Stage] = {}
    for row in sorted(sums, key=lambda row: (-row["stories"], row["status"])):
        stage = stages.setdefault(row["app"], Stage(row["app"]))
        stage.count(row["status"], row["stories"])
    return sorted(
        stages.values(), key=lambda stage: (places.get(stage.app, len(places)), stage.app)
    )
