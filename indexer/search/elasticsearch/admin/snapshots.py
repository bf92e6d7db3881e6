"""Takes snapshots of the indices behind an alias, for servers without a snapshot policy (SLM).

Names and marks are those of the policy, so both ways expire each other's snapshots.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Self

from elasticsearch import ApiError, Elasticsearch

from indexer.search.elasticsearch.admin.policies import (
    MAX_SNAPSHOTS,
    snapshot_contents,
    snapshots_name,
)
from indexer.search.elasticsearch.errors import ask, reason
from indexer.system.patience import Patience, growing

RUNNING, SUCCESS = "IN_PROGRESS", "SUCCESS"

SHORTEST_PAUSE, LONGEST_PAUSE = 0.125, 8.0
"""Seconds between two queries for the state of a running snapshot."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A store of snapshots: a directory that all nodes share (fs), or a bucket (s3)."""

    name: str
    type: str
    settings: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class IndexSnapshot:
    """A snapshot in a repository. `start` is in milliseconds since the epoch."""

    name: str
    state: str
    start: int
    policy: str = ""
    why: str = ""

    @classmethod
    def of(cls, found: dict[str, Any]) -> Self:
        """Convert the server's description of a snapshot."""
        failures = found.get("failures") or [{}]
        return cls(
            found["snapshot"],
            found.get("state", ""),
            int(found.get("start_time_in_millis", 0)),
            str((found.get("metadata") or {}).get("policy", "")),
            str(found.get("reason") or failures[0].get("reason") or ""),
        )


def listed(
    client: Elasticsearch, repository: str, newest: int | None = None
) -> list[IndexSnapshot]:
    """Return all or the `newest` snapshots, oldest first. Raises ApiError, TransportError."""
    answer = client.snapshot.get(
        repository=repository,
        snapshot="*",
        ignore_unavailable=True,
        index_names=False,
        sort="start_time",
        order="desc",
        size=newest,
    )
    found = [IndexSnapshot.of(one) for one in answer.get("snapshots", ())]
    return sorted(found, key=_age)


class Snapshots:
    """The snapshots of one alias in one repository. Raises ApiError, TransportError."""

    def __init__(
        self,
        client: Elasticsearch,
        alias: str,
        repository: str,
        patience: Patience,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        # A retried request would take a second snapshot.
        self._client = client.options(max_retries=0)
        self._alias = alias
        self._repository = repository
        self._patience = patience
        self._sleep = sleep

    def start(self, now: datetime) -> str:
        """Start a snapshot; return its name."""
        name = f"snapshot-{now.astimezone(UTC):%Y.%m.%d-%H%M%S}"
        self._client.snapshot.create(
            repository=self._repository,
            snapshot=name,
            **snapshot_contents(self._alias),
            metadata={"policy": snapshots_name(self._alias)},
            wait_for_completion=False,
        )
        return name

    def finished(self, name: str, seconds: float) -> IndexSnapshot:
        """Return the snapshot when it is complete, or its state after so many seconds."""
        left = seconds
        for pause in growing(SHORTEST_PAUSE, LONGEST_PAUSE):
            found = ask(self._patience, lambda: self._get(name))
            if found.state != RUNNING or left <= 0:
                break
            self._sleep(min(pause, left))
            left -= pause
        return found

    def expire(self) -> tuple[list[str], dict[str, str]]:
        """Delete expired snapshots; return their names, and the failures with their reasons."""
        found = ask(self._patience, lambda: listed(self._client, self._repository))
        deleted: list[str] = []
        kept: dict[str, str] = {}
        policy = snapshots_name(self._alias)
        for name in expired([one for one in found if one.policy == policy]):
            try:
                self._client.snapshot.delete(repository=self._repository, snapshot=name)
            except ApiError as error:
                kept[name] = reason(error.body)
            else:
                deleted.append(name)
        return deleted, kept

    def _get(self, name: str) -> IndexSnapshot:
        answer = self._client.snapshot.get(
            repository=self._repository, snapshot=name, index_names=False
        )
        return IndexSnapshot.of(answer["snapshots"][0])


def expired(snapshots: Iterable[IndexSnapshot], most: int = MAX_SNAPSHOTS) -> Sequence[str]:
    """Return the names of the snapshots to delete, oldest first.

    The newest `most` successful snapshots are kept, and all that are newer than the oldest of them.
    """
    # The policy's minimum does not matter: it limits only expiry by age, which is not used.
    done = sorted((one for one in snapshots if one.state != RUNNING), key=_age)
    good = [_age(one) for one in done if one.state == SUCCESS]
    return [one.name for one in done if _age(one) < good[-most]] if len(good) >= most else []


def _age(snapshot: IndexSnapshot) -> tuple[int, str]:
    """Return the sort key: the start, then the name, which contains the time as well."""
    return snapshot.start, snapshot.name
