"""The policies by which Elasticsearch rolls indices over and takes snapshots by itself.

Their names and contents are those of stories.md 8. Servers without the modules for it are served
by `elastic-conf rollover` and `elastic-conf snapshot`.
"""

import re
from collections.abc import Mapping
from typing import Any

from indexer.errors import ConfigurationError
from indexer.search.elasticsearch.setup import DEFAULT_ALIAS

MAX_DOCS = 200_000_000
"""The number of documents at which an index rolls over."""

SCHEDULE = "0 30 1 1,15 * ?"
"""The time of snapshots: at 01:30 UTC on the 1st and the 15th."""

SNAPSHOT_NAME = "<snapshot-{now/d}>"

MIN_SNAPSHOTS, MAX_SNAPSHOTS = 5, 10

_SIZE = re.compile(r"(\d{1,15})([bkmgtp]|[kmgtp]b)", re.ASCII | re.IGNORECASE)
_UNITS = "bkmgtp"

_FROM_THE_SERVER = {"min_docs"}
"""Conditions that the server adds by itself."""


def lifecycle_name(alias: str) -> str:
    """Return the name of the lifecycle policy (ILM) of an alias."""
    return "mediacloud-lifecycle-policy" if alias == DEFAULT_ALIAS else f"{alias}-lifecycle-policy"


def snapshots_name(alias: str) -> str:
    """Return the name of the snapshot policy (SLM) of an alias, which marks all its snapshots."""
    return "bi_weekly_slm" if alias == DEFAULT_ALIAS else f"{alias}-bi_weekly_slm"


def rollover_conditions(max_docs: int, max_shard_size: str) -> dict[str, Any]:
    """Return the conditions of a rollover: a number of documents, or a primary shard's size."""
    conditions: dict[str, Any] = {"max_docs": max_docs}
    if max_shard_size:
        conditions["max_primary_shard_size"] = max_shard_size.lower()
    return conditions


def lifecycle(conditions: Mapping[str, Any]) -> dict[str, Any]:
    """Return the lifecycle policy: only a hot phase, so it never deletes an index."""
    return {"phases": {"hot": {"actions": {"rollover": dict(conditions)}}}}


def snapshot_contents(alias: str) -> dict[str, Any]:
    """Return the contents of a snapshot."""
    return {"indices": [f"{alias}-*"], "ignore_unavailable": True, "include_global_state": True}


def snapshots(alias: str, repository: str) -> dict[str, Any]:
    """Return the snapshot policy."""
    return {
        "schedule": SCHEDULE,
        "name": SNAPSHOT_NAME,
        "repository": repository,
        "config": snapshot_contents(alias),
        "retention": {"min_count": MIN_SNAPSHOTS, "max_count": MAX_SNAPSHOTS},
    }


def is_lifecycle(now: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Return whether the present policy has the same effect as the wanted one."""
    phases = now.get("phases", {})
    if phases.keys() != {"hot"} or phases["hot"].get("actions", {}).keys() != {"rollover"}:
        return False
    return _conditions(now) == _conditions(wanted)


def _conditions(policy: Mapping[str, Any]) -> dict[str, Any]:
    given = policy["phases"]["hot"]["actions"]["rollover"]
    return {
        # The server may write 50gb as 51200mb.
        name: size_in_bytes(str(value)) if name.endswith("_size") else value
        for name, value in given.items()
        if name not in _FROM_THE_SERVER
    }


def max_shard_size(now: Mapping[str, Any]) -> str:
    """Return the size at which the present policy rolls an index over; blank if it has none."""
    hot = now.get("phases", {}).get("hot", {})
    return str(hot.get("actions", {}).get("rollover", {}).get("max_primary_shard_size", ""))


def size_in_bytes(text: str) -> int:
    """Parse a size in Elasticsearch's format: 50gb, 50g. Raises ConfigurationError."""
    match = _SIZE.fullmatch(text.strip())
    if not match or not int(match[1]):
        raise ConfigurationError(f"{text!r} is not a size: write it as 50gb or 100mb")
    return int(match[1]) << 10 * _UNITS.index(match[2][0].lower())
