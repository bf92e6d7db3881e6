"""What an Elasticsearch with the modules for it does by itself: roll indices over, take snapshots.

The names, and what the policies say, are those of stories.md 8.
"""

import re
from collections.abc import Mapping
from typing import Any

from indexer.errors import ConfigurationError
from indexer.search.elasticsearch.setup import DEFAULT_ALIAS

MAX_DOCS = 200_000_000
"""An index with so many documents rolls over."""

SCHEDULE = "0 30 1 1,15 * ?"
"""When snapshots are taken: at 01:30 UTC on the 1st and the 15th."""

SNAPSHOT_NAME = "<snapshot-{now/d}>"

MIN_SNAPSHOTS, MAX_SNAPSHOTS = 5, 10

_SIZE = re.compile(r"(\d{1,15})([bkmgtp]|[kmgtp]b)", re.ASCII | re.IGNORECASE)
_UNITS = "bkmgtp"

_FROM_THE_SERVER = {"min_docs"}
"""Conditions that a server adds by itself."""


def lifecycle_name(alias: str) -> str:
    """The name of the lifecycle policy (ILM) of an alias."""
    return "mediacloud-lifecycle-policy" if alias == DEFAULT_ALIAS else f"{alias}-lifecycle-policy"


def snapshots_name(alias: str) -> str:
    """The name of the snapshot policy (SLM) of an alias, also of snapshots taken without one."""
    return "bi_weekly_slm" if alias == DEFAULT_ALIAS else f"{alias}-bi_weekly_slm"


def rollover_conditions(max_docs: int, max_shard_size: str) -> dict[str, Any]:
    """When an index rolls over: at so many documents, or at that size of a primary shard."""
    conditions: dict[str, Any] = {"max_docs": max_docs}
    if max_shard_size:
        conditions["max_primary_shard_size"] = max_shard_size.lower()
    return conditions


def lifecycle(conditions: Mapping[str, Any]) -> dict[str, Any]:
    """The lifecycle policy: only a hot phase, so that nothing is ever deleted by it."""
    return {"phases": {"hot": {"actions": {"rollover": dict(conditions)}}}}


def snapshot_contents(alias: str) -> dict[str, Any]:
    """What is in a snapshot."""
    return {
        "indices": [f"{alias}-*"],
        "ignore_unavailable": True,
        "include_global_state": True,
    }


def snapshots(alias: str, repository: str) -> dict[str, Any]:
    """The snapshot policy."""
    return {
        "schedule": SCHEDULE,
        "name": SNAPSHOT_NAME,
        "repository": repository,
        "config": snapshot_contents(alias),
        "retention": {"min_count": MIN_SNAPSHOTS, "max_count": MAX_SNAPSHOTS},
    }


def is_lifecycle(there: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether the policy that is there does what the one that is wanted does."""
    phases = there.get("phases", {})
    if phases.keys() != {"hot"} or phases["hot"].get("actions", {}).keys() != {"rollover"}:
        return False
    found, meant = (_conditions(policy) for policy in (there, wanted))
    return found == meant


def _conditions(policy: Mapping[str, Any]) -> dict[str, Any]:
    given = policy["phases"]["hot"]["actions"]["rollover"]
    return {
        name: size_in_bytes(str(value)) if name.endswith("_size") else value
        for name, value in given.items()
        if name not in _FROM_THE_SERVER
    }


def max_shard_size(there: Mapping[str, Any]) -> str:
    """The size at which a policy that is there rolls an index over; blank if it has none."""
    hot = there.get("phases", {}).get("hot", {})
    return str(hot.get("actions", {}).get("rollover", {}).get("max_primary_shard_size", ""))


def size_in_bytes(text: str) -> int:
    """The bytes of a size as Elasticsearch has it: 50gb, 50g. Raises ConfigurationError."""
    match = _SIZE.fullmatch(text.strip())
    if not match or not int(match[1]):
        raise ConfigurationError(f"{text!r} is no size: write it as 50gb or 100mb")
    return int(match[1]) << 10 * _UNITS.index(match[2][0].lower())
