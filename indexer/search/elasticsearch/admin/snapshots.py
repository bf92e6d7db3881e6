"""Snapshots of the indices behind an alias, for servers that take none by themselves.

They are named and marked as those of the policy (SLM), so each way keeps count of the other's.
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
from indexer.search.elasticsearch.errors import reason
from indexer.search.elasticsearch.patience import ask
from indexer.system.patience import Patience, growing

RUNNING, SUCCESS = "IN_PROGRESS", "SUCCESS"

SHORTEST_PAUSE, LONGEST_PAUSE = 0.125, 8.0
"""Seconds between two looks at a snapshot that is being taken."""


@dataclass(frozen=True, slots=True)
class Repository:
    """Where snapshots are kept: a directory of all nodes (fs), or a bucket (s3)."""

    name: str
    type: str
    settings: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class IndexSnapshot:
    """One that is in a repository. `start` is in milliseconds since the epoch."""

    name: str
    state: str
    start: int
    policy: str = ""
    why: str = ""

    @classmethod
    def of(cls, found: dict[str, Any]) -> Self:
        """A snapshot as the server describes it."""
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
    """The snapshots of a repository, oldest first: all, or so many of the newest.

    Raises ApiError, TransportError.
    """
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
        # A snapshot that is asked for twice is taken twice.
        self._client = client.options(max_retries=0)
        self._alias = alias
        self._repository = repository
        self._patience = patience
        self._sleep = sleep

    def start(self, now: datetime) -> str:
        """Begin to take one; its name."""
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
        """The snapshot when it is complete; as far as it is after so many seconds."""
        left = seconds
        for pause in growing(SHORTEST_PAUSE, LONGEST_PAUSE):
            found = ask(self._patience, lambda: self._get(name))
            if found.state != RUNNING or left <= 0:
                break
            self._sleep(min(pause, left))
            left -= pause
        return found

    def expire(self) -> tuple[list[str], dict[str, str]]:
        """Delete those that are no longer kept: their names, and why others could not be."""
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
    """The names of those that are no longer kept, oldest first.

    The newest `most` that succeeded are kept, and all that is newer than the oldest of them. (The
    least number of the policy would count only if they expired by age.)
    """
    done = sorted((one for one in snapshots if one.state != RUNNING), key=_age)
    good = [_age(one) for one in done if one.state == SUCCESS]
    return [one.name for one in done if _age(one) < good[-most]] if len(good) >= most else []


def _age(snapshot: IndexSnapshot) -> tuple[int, str]:
    """By what snapshots are sorted: in one millisecond by their names, which have the time."""
    return snapshot.start, snapshot.name
