"""The plan of a sync with a directory."""

from typing import NamedTuple

MAX_SHRINKAGE = 5.0
"""Default of the percentage of feeds that a full sync may remove (feeds.md 11)."""


class SyncPlan(NamedTuple):
    """Options of one sync. `delete_after`: days after which removed feeds are deleted."""

    full: bool = False
    reset: bool = False
    dry_run: bool = False
    max_shrinkage: float = MAX_SHRINKAGE
    delete_after: int | None = None
